import ChannelPublishing
import LibSRT
import LiveChannels
import LogMetadata
import Logging
import MediaCore
import NIOCore
import StreamConnections

/// A connection: finds out whether its peer may do what it wants, and then publishes or reads. Confined to an event
/// loop.
final class SRTPeer {
    private static let credentialHint =
        "use a streamid such as publish:CHANNEL:USER:PASSWORD or publish:CHANNEL?token=TOKEN"

    private enum Use {
        case waiting
        case publishing(TransportStreamPush)
        case reading(TransportStreamReader)
        case over
    }

    private let connection: SRTConnection
    private let streamID: SRTStreamID
    private let channel: LiveChannel
    private let environment: SRTServerEnvironment
    private let eventLoop: any EventLoop
    private let logger: Logger
    private var number = 0
    private var use = Use.waiting
    /// Bytes that have come before the permission was known; the engine stops reading beyond a limit.
    private var early: [ByteBuffer] = []
    private var checks: RepeatedTask?
    private var heardAt: NIODeadline
    private var hasLoggedStart = false

    init(
        _ connection: SRTConnection, _ streamID: SRTStreamID, _ channel: LiveChannel,
        _ environment: SRTServerEnvironment, on eventLoop: any EventLoop
    ) {
        (self.connection, self.streamID, self.channel) = (connection, streamID, channel)
        (self.environment, self.eventLoop) = (environment, eventLoop)
        heardAt = eventLoop.now
        var logger = environment.logger
        logger[.peerAddress] = "\(connection.peer.map(\.displayed) ?? "")"
        logger[.channelName] = "\(channel.name)"
        self.logger = logger
    }

    // MARK: Beginning

    func begin() {
        let peer = NIOLoopBound(self, eventLoop: eventLoop)
        let loop = eventLoop
        number = environment.add(connection.peer) { reason in loop.execute { peer.value.close(reason) } }
        switch streamID.purpose {
        case .publishing:
            environment.gate.decide(streamID.credential, for: channel, from: connection.peer, on: eventLoop)
                .whenSuccess { verdict in peer.value.take(verdict) }
        case .reading: askForReading(peer)
        }
        let interval = TimeAmount(environment.configuration.limits.checkInterval)
        checks = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in peer.value.check() }
    }

    private func take(_ verdict: PublisherVerdict) {
        guard case .waiting = use else { return }
        guard case .admitted(let username) = verdict else {
            if verdict == .wrongCredential {
                environment.update { $0.failedLoginCount += 1 }
                logger.notice(
                    "SRT login failed", metadata: [.userName: "\(streamID.credential?.username?.prefix(100) ?? "")"])
            }
            return close(.refused, detail: verdict.words(channel: channel.name, hint: Self.credentialHint))
        }
        if let username { logger.info("publisher logged in", metadata: [.userName: "\(username.prefix(100))"]) }
        let publisher = Publisher(
            remoteAddress: connection.peer.map(\.displayed) ?? "", userAgent: nil, transport: "SRT",
            presetName: streamID.preset)
        let peer = NIOLoopBound(self, eventLoop: eventLoop)
        let loop = eventLoop
        let push = TransportStreamPush(
            GatheredPush(
                to: channel, by: publisher, on: eventLoop, limits: environment.configuration.limits.gathering,
                onKick: { reason in loop.execute { peer.value.close(.kicked, detail: reason) } }), on: eventLoop)
        use = .publishing(push)
        environment.update { $0.publisherCount += 1 }
        let waiting = early
        early = []
        for bytes in waiting { receive(bytes) }
    }

    private func askForReading(_ peer: NIOLoopBound<SRTPeer>) {
        let subject = MediaName(channel.name).map { MediaSubject.channel($0) }
        guard let admission = environment.admission, !admission.isForEveryone(subject) else {
            return read(subject, until: nil)
        }
        let (credential, address, path) = (streamID.credential, connection.peer, subject?.folder ?? "")
        eventLoop.makeFutureWithTask {
            await admission.decide(credential, playing: subject, at: path, from: address)
        }.whenComplete { result in
            switch (try? result.get()) ?? .unavailable {
            case .open: peer.value.read(subject, until: nil)
            case .admitted(_, let time, _): peer.value.read(subject, until: time)
            case .unavailable: peer.value.close(.refused, detail: "the accounts cannot be asked at the moment")
            case .refused, .notAnAccounts, .rentalNeeded, .rentalOver, .tooManyPlayers:
                peer.value.close(.refused, detail: "a login is needed to watch this channel")
            }
        }
    }

    private func read(_ subject: MediaSubject?, until duration: Duration?) {
        guard case .waiting = use else { return }
        let end = duration.map { eventLoop.now + TimeAmount($0) }
        let connection = connection
        let reader = TransportStreamReader(channel.fanOut, on: eventLoop) { connection.send($0) }
        reader.mayGoOn = { [environment, eventLoop] in
            !(environment.admission?.isHidden(subject) ?? false) && end.map { eventLoop.now < $0 } ?? true
        }
        reader.onEnd = { [weak self] in self?.close(.playbackEnded) }
        use = .reading(reader)
        environment.update { $0.readerCount += 1 }
        logger.info("SRT reader started")
        reader.begin()
    }

    // MARK: Media

    func receive(_ bytes: ByteBuffer) {
        heardAt = eventLoop.now
        switch use {
        case .waiting: early.append(bytes)
        case .publishing(let push):
            defer { connection.taken(byteCount: bytes.readableBytes) }
            do {
                try push.receive(bytes)
            } catch {
                return fail(error)
            }
            guard push.hasBegun, !hasLoggedStart else { return }
            hasLoggedStart = true
            logger.info("push started", metadata: [.transport: "srt"])
        case .reading, .over: connection.taken(byteCount: bytes.readableBytes)
        }
    }

    private func fail(_ error: any Error) {
        switch error {
        case let refusal as PushRefusal: close(.refused, detail: refusal.reason)
        case PublishingError.channelBusy: close(.refused, detail: "the channel already has a publisher")
        case is PublishingError: close(.refused, detail: "\(error)")
        default: close(.protocolError, detail: "\(error)")
        }
    }

    private func check() {
        switch use {
        case .publishing(let push):
            push.note(LinkQuality(connection.statistics))
            if eventLoop.now - heardAt > TimeAmount(environment.configuration.limits.silence) { close(.silence) }
        case .reading(let reader): if !reader.mayGoOn() { close(.playbackEnded) }
        case .waiting, .over: break
        }
    }

    // MARK: Ends

    /// Ends the connection. Has no effect after the first call.
    func close(_ reason: SRTCloseReason, detail: String? = nil) {
        if case .over = use { return }
        let ended = use
        use = .over
        early = []
        checks?.cancel()
        checks = nil
        switch ended {
        case .publishing(let push):
            push.end(reason: detail ?? reason.explained, isIntended: reason.isIntended)
            environment.update { $0.publisherCount -= 1 }
        case .reading(let reader):
            reader.end()
            environment.update {
                $0.readerCount -= 1
                $0.droppedUnitCount += reader.droppedCount
            }
        case .waiting, .over: break
        }
        if reason == .playbackEnded {
            finishSending()
        } else {
            connection.close()
        }
        environment.remove(number, connection.peer, reason)
        logger.log(
            level: reason == .refused ? .notice : .info, "SRT connection closed",
            metadata: [.reason: "\(reason.rawValue)", .detail: "\(detail?.prefix(200) ?? "")"])
    }

    /// Ends the connection of a reader when it has played all: a receiver drops what it keeps when the sender has gone.
    private func finishSending() {
        let delay =
            TimeAmount.milliseconds(
                Int64(min(connection.statistics.receiverLatency, SRTOptions.latencies.upperBound))) + Self.farewell
        let connection = connection
        eventLoop.scheduleTask(in: delay) { connection.close() }
    }

    /// Time for the last packets on their way.
    private static let farewell = TimeAmount.milliseconds(300)
    /// Time without media before the end of a connection that was lost, and not ended: libsrt notices after 5 s.
    private static let lossTime = TimeAmount.seconds(3)

    /// The connection has ended by itself.
    func ended(_ detail: String) {
        let isLost = eventLoop.now - heardAt > Self.lossTime
        if case .publishing = use, !isLost { return close(.unpublished) }
        close(.peerClosed, detail: detail)
    }
}
