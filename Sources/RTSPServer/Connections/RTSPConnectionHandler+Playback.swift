import LiveChannels
import LogMetadata
import Logging
import MediaCore
import NIOCore
import RTSPProtocol
import StreamConnections

/// Requests of readers: DESCRIBE, SETUP, PLAY and PAUSE.
extension RTSPConnectionHandler {
    // MARK: DESCRIBE

    func evaluate(_ request: RTSPDescriptionRequest, _ authorization: RTSPAuthorization) {
        let path = request.url.path
        let subject = MediaSubject(path: path)
        guard case .channel(let requested) = subject else {
            requestedChannelName = nil
            return admitReader(authorization, of: subject, at: path) { [self] refusal in
                if let refusal { return described(nil, refusal) }
                describeTitle(path: path)
            }
        }
        let name = requested.text
        requestedChannelName = name
        guard let channel = environment.channels.channel(named: name) else {
            return described(nil, AnnouncementEvaluation.unknownChannel(path: path, among: environment.channels))
        }
        admitReader(authorization, of: subject, at: path) { [self] refusal in
            if let refusal { return described(nil, refusal) }
            describe(channel)
        }
    }

    private func describe(_ channel: LiveChannel) {
        let name = channel.name
        // What the reader is about to play is timed by its arrival.
        channel.expectPromptness(now: eventLoop.now)
        let output = ConnectionPlaybackOutput(connection: self)
        let session = LivePlaybackSession(
            group: environment.readerGroups.group(of: channel.fanOut, on: eventLoop),
            title: channel.configuration.title,
            isIPv6: isIPv6, output: output)
        guard let session else {
            return described(nil, RTSPRefusal(.notFound.because("Not Found: nobody is broadcasting on \(name) now")))
        }
        described(ConnectionPlayback(session: session, output: output, name: name), nil)
    }

    private func describeTitle(path: String) {
        guard let titles = environment.titles else { return described(nil, RTSPRefusal(.notFound)) }
        let name = String(path.prefix(100))
        eventLoop.makeFutureWithTask { try await titles.title(path: path) }.assumeIsolated().whenComplete {
            [self] result in
            // The connection may have ended in the meantime.
            guard isAwaitingVerdict else { return }
            switch result {
            case .success(let title?):
                let output = ConnectionPlaybackOutput(connection: self)
                let session = TitlePlaybackSession(
                    title: title.packaged, name: title.name, isIPv6: isIPv6, output: output, eventLoop: eventLoop,
                    fileReading: TitleFileReading(threadPool: environment.threadPool))
                let refusal = RTSPRefusal(.notFound.because("Not Found: \(name) has no track that RTSP can carry"))
                described(session.map { ConnectionPlayback(session: $0, output: output, name: name) }, refusal)
            case .success(nil):
                described(
                    nil,
                    path.hasPrefix("/live/")
                        ? AnnouncementEvaluation.unknownChannel(path: path, among: environment.channels)
                        : RTSPRefusal(.notFound.because("Not Found: there is no channel or title at \(name)")))
            case .failure(let error):
                logger.warning(
                    "title cannot be read", metadata: withCSeq([.presentationName: "\(name)", .error: "\(error)"]))
                described(
                    nil,
                    error is PlayableTitlesUnavailable
                        ? RTSPRefusal(.serviceUnavailable, headers: ["Retry-After": "2"])
                        : RTSPRefusal(.internalServerError))
            }
            parseHeldBytes()
        }
    }

    private func described(_ playback: ConnectionPlayback?, _ refusal: RTSPRefusal?) {
        // DESCRIBE does not affect a session that is under way (RFC 2326 §A.2).
        if let playback, !stateMachine.hasSession {
            endPlayback()
            media = .playback(playback)
            endPlaybackInTime()
        }
        let result: Result<_, RTSPRefusal> =
            playback.map { .success($0.session.description) } ?? .failure(refusal ?? RTSPRefusal(.notFound))
        perform(stateMachine.descriptionEvaluated(result, now: eventLoop.now))
    }

    private var isIPv6: Bool { context?.channel.localAddress?.protocol == .inet6 }

    // MARK: SETUP

    /// Handles SETUP with the first offer that can be satisfied.
    func preparePlaybackTransport(_ request: RTSPTransportRequest, offers: ArraySlice<RTSPTransport>) {
        guard let playback, let offer = offers.first else {
            return transportPrepared(.failure(RTSPRefusal(.unsupportedTransport)))
        }
        guard playback.hasPlayed || use(for: .prepared) else {
            let reason = "Service Unavailable: too many players are connected; try again later"
            return transportPrepared(
                .failure(RTSPRefusal(.serviceUnavailable.because(reason), headers: ["Retry-After": "60"])))
        }
        switch offer.lowerTransport {
        case .tcp:
            let wanted = offer.interleavedChannels.map { (rtp: $0.rtp, rtcp: $0.rtcp) }
            guard let channels = playback.session.channels(wanted: wanted, trackIndex: request.trackIndex),
                playback.session.setUp(request.trackIndex, .interleaved(rtp: channels.rtp, rtcp: channels.rtcp))
            else { return preparePlaybackTransport(request, offers: offers.dropFirst()) }
            playback.output.setUp(request.trackIndex, nil)
            var transport = RTSPTransport(lowerTransport: .tcp)
            transport.interleavedChannels = RTSPChannelPair(rtp: channels.rtp, rtcp: channels.rtcp)
            transportPrepared(.success(transport))
        case .udp where isSecure:
            preparePlaybackTransport(request, offers: offers.dropFirst())
        case .udp:
            bindPorts(offer, trackIndex: request.trackIndex) { [self] sockets in
                // The connection may have ended in the meantime, or play something else.
                guard self.playback?.session === playback.session else {
                    sockets?.close()
                    return
                }
                guard let sockets, playback.session.setUp(request.trackIndex, .udp) else {
                    sockets?.close()
                    return preparePlaybackTransport(request, offers: offers.dropFirst())
                }
                playback.output.setUp(request.trackIndex, sockets)
                transportPrepared(.success(Self.chosenTransport(offer, sockets)))
            }
        }
    }

    // MARK: PLAY and PAUSE

    func startPlaying(_ request: RTSPPlayRequest) {
        guard let playback else {
            let refusal = RTSPRefusal(.sessionNotFound)
            return perform(stateMachine.playingEvaluated(.failure(refusal), now: eventLoop.now))
        }
        do {
            let start = try playback.session.play(from: request.range?.startTime, to: request.range?.endTime)
            perform(stateMachine.playingEvaluated(.success(start), now: eventLoop.now))
        } catch {
            return perform(stateMachine.playingEvaluated(.failure(error.refusal), now: eventLoop.now))
        }
        if !playback.hasPlayed {
            noteThatItPlays()
            _ = use(for: .playing)
            environment.counters.update { $0.playingSessionCount += 1 }
            logger.info(
                "playback started",
                metadata: withCSeq([
                    .presentationName: "\(playback.name)", .transport: "\(playback.output.usesUDP ? "udp" : "tcp")",
                ]))
        }
        playback.session.startSending()
    }

    private func noteThatItPlays() {
        // The response may have ended the connection.
        guard case .playback(var playback) = media else { return }
        playback.hasPlayed = true
        media = .playback(playback)
    }

    func pause() {
        playback?.session.pause()
        session?.pause()
    }

    func releaseTrack(_ trackIndex: Int) {
        session?.release(trackIndex)
        guard let playback else { return }
        playback.session.release(trackIndex)
        playback.output.setUp(trackIndex, nil)
    }

    // MARK: Ends

    /// Ends the playback when the reader's permit ends.
    private func endPlaybackInTime() {
        permitCheck?.cancel()
        guard let admission = environment.admission else { return }
        permitCheck = eventLoop.assumeIsolated().scheduleTask(deadline: permit.nextCheck(after: eventLoop.now)) {
            [self] in
            let peer = context?.channel.remoteAddress
            let end = permit.end(
                at: eventLoop.now, isEndedEarly: { admission.isEndedEarly($0, from: peer) },
                isHidden: admission.isHidden)
            guard let end else { return endPlaybackInTime() }
            permitCheck = nil
            playback?.session.finish(end)
        }
    }

    /// Called when a session has ended by itself and has sent a goodbye to the reader.
    func playbackEnded(_ reason: PlaybackEndReason) {
        logger.info(
            "playback ended", metadata: [.presentationName: "\(playback?.name ?? "")", .reason: "\(reason.explained)"])
        if reason == .tooSlow { environment.counters.update { $0.slowReaderCount += 1 } }
        // Closes later, because this is called from within a call of the session.
        eventLoop.assumeIsolated().execute { [self] in closeAfterPlayback(reason) }
    }

    func endPlayback() {
        permitCheck?.cancel()
        permitCheck = nil
        guard let playback else { return }
        media = .nothing
        if playback.hasPlayed { environment.counters.update { $0.playingSessionCount -= 1 } }
        playback.session.end()
        playback.output.close()
    }
}

extension PlaybackError {
    fileprivate var refusal: RTSPRefusal {
        switch self {
        case .gone: RTSPRefusal(.notFound.because("Not Found: the push has ended"))
        case .nothingSetUp: RTSPRefusal(.methodNotValidInThisState)
        case .invalidRange: RTSPRefusal(.invalidRange)
        }
    }
}
