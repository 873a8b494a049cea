import LiveChannels
import LogMetadata
import Logging
import MediaCore
import NIOCore
import RTMPProtocol
import RTSPProtocol
import StreamConnections
import Synchronization

/// The command `publish`, and who may give it.
extension RTMPConnectionHandler {
    /// Handles `publish`.
    func publish(_ name: String, in stream: UInt32) {
        guard let (address, channel) = addressed(name, in: stream) else { return }
        awaitedStream = stream
        authorize(address, for: channel, in: stream) { [self] in
            if let error = channel.publishingError(presetName: address.preset) {
                return refuse(stream, Self.words(for: error), channel: channel.name)
            }
            start(channel, preset: address.preset, in: stream)
        }
    }

    /// The channel that the peer has named; `nil` if it was refused, because there is none, or it has another already.
    func addressed(_ name: String, in stream: UInt32) -> (address: RTMPStreamAddress, channel: LiveChannel)? {
        guard case .nothing = use, awaitedStream == nil, let connect else {
            refuse(stream, "a connection publishes or plays one stream")
            return nil
        }
        let address = RTMPStreamAddress(application: connect.application, name: name, address: connect.address)
        guard let channelName = address.channel, let channel = environment.channels.channel(named: channelName) else {
            refuse(stream, unknownChannel(address.channel), channel: address.channel)
            return nil
        }
        return (address, channel)
    }

    /// The words for an address without a channel, with the most similar one.
    private func unknownChannel(_ name: String?) -> String {
        let names = environment.channels.all.map(\.name)
        let suggestion = name.flatMap { NearestName.suggestion(for: $0, among: names) }
        let hint = suggestion.map { "did you mean \($0)?" } ?? "the server is rtmp://HOST/live, the key the channel"
        return "there is no channel \(name.map { "\($0.prefix(100))" } ?? "at this address"); \(hint)"
    }

    private func start(_ channel: LiveChannel, preset: String?, in stream: UInt32) {
        guard let context else { return }
        let publisher = Publisher(
            remoteAddress: context.channel.remoteAddress.map(\.displayed) ?? "",
            userAgent: connect?.program.map { String($0.prefix(200)) }, transport: isSecure ? "RTMPS" : "RTMP",
            presetName: preset)
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let eventLoop = self.eventLoop
        let publication = RTMPPublication(to: channel, by: publisher, on: eventLoop, limits: limits) { reason in
            eventLoop.execute { connection.value.close(.kicked, detail: reason) }
        }
        session.accept(stream)
        begin(.publishing(publication, stream: stream), as: .recording)
        flush()
    }

    // MARK: Permission

    /// Finds out whether the peer may publish, and refuses it otherwise.
    private func authorize(
        _ address: RTMPStreamAddress, for channel: LiveChannel, in stream: UInt32, then body: @escaping () -> Void
    ) {
        let access = channel.configuration.publishing.access
        /// Goes on unless the peer has gone or wants something else meanwhile.
        let proceed = { [self] in
            guard awaitedStream == stream else { return }
            body()
            resume()
        }
        if access == .anyone { return proceed() }
        if let credential = address.credential {
            return slowly(stream, channel) { [self] in
                guard let admission = environment.admission else {
                    return check(credential, access, channel, stream, proceed)
                }
                ask(stream) { [name = channel.name] peer in
                    await admission.decide(credential, channel: name, from: peer)
                } answer: { [self] decision in
                    switch decision {
                    case .admitted(let name, _, _):
                        environment.failures.withLock { $0.succeeded(addressKey) }
                        logger.info("publisher logged in", metadata: [.userName: "\(name)"])
                        proceed()
                    case .unavailable:
                        refuse(stream, "the accounts cannot be asked at the moment", channel: channel.name)
                    case .notAnAccounts: check(credential, access, channel, stream, proceed)
                    case .refused, .open, .rentalNeeded, .rentalOver, .tooManyPlayers: failed(stream, channel, nil)
                    }
                }
            }
        }
        if let answer = address.challenge {
            return slowly(stream, channel) { [self] in
                guard case .credentials(let known) = access,
                    environment.challenge.accepts(answer, known, now: eventLoop.now)
                else { return failed(stream, channel, answer.user) }
                environment.failures.withLock { $0.succeeded(addressKey) }
                logger.info("publisher logged in", metadata: [.userName: "\(answer.user.prefix(100))"])
                proceed()
            }
        }
        if access == .loopback {
            guard context?.channel.remoteAddress?.isLoopback != true else { return proceed() }
            return refuse(
                stream, "\(channel.name) only accepts publishers from this machine", channel: channel.name)
        }
        if case .credentials = access { environment.invite(addressKey, now: eventLoop.now) }
        refuse(stream, Self.credentialNeeded, channel: channel.name)
    }

    private static let credentialNeeded =
        "a login is needed: put ?user=NAME&pass=PASSWORD or ?token=TOKEN behind the stream key, or enter username and "
        + "password in the encoder and start again"

    /// Checks a credential that no account has.
    private func check(
        _ credential: StreamCredential, _ access: PublishingPolicy.Access, _ channel: LiveChannel, _ stream: UInt32,
        _ proceed: () -> Void
    ) {
        switch (access, credential) {
        case (.loopback, _) where context?.channel.remoteAddress?.isLoopback == true: proceed()
        case (.credentials(let known), .password(let username, let secret)):
            guard RTSPAuthenticator.isKnown(username, secret, among: known.map(RTSPCredential.init)) else {
                return failed(stream, channel, username)
            }
            environment.failures.withLock { $0.succeeded(addressKey) }
            logger.info("publisher logged in", metadata: [.userName: "\(username.prefix(100))"])
            proceed()
        case (_, .password(let username, _)): failed(stream, channel, username)
        case (_, .token): failed(stream, channel, nil)
        }
    }

    private func failed(_ stream: UInt32, _ channel: LiveChannel, _ username: String?) {
        environment.failures.withLock { $0.failed(addressKey, now: eventLoop.now) }
        environment.counters.update { $0.failedLoginCount += 1 }
        logger.notice("RTMP login failed", metadata: [.userName: "\(username?.prefix(100) ?? "")"])
        refuse(stream, "the username, password or token is wrong, or may not publish here", channel: channel.name)
    }

    /// Delays attempts from addresses that have failed before, to protect passwords from being guessed.
    private func slowly(_ stream: UInt32, _ channel: LiveChannel, _ body: @escaping () -> Void) {
        switch environment.failures.withLock({ $0.admit(addressKey, now: eventLoop.now) }) {
        case .now: body()
        case .refused: refuse(stream, "too many wrong attempts; try again later", channel: channel.name)
        case .after(let delay):
            eventLoop.assumeIsolated().scheduleTask(in: delay) { [self] in
                guard awaitedStream == stream else { return }
                body()
            }
        }
    }

    /// Asks the accounts, and calls `answer` on the event loop unless the peer has gone meanwhile.
    func ask(
        _ stream: UInt32, _ question: @escaping @Sendable (SocketAddress?) async -> StreamAdmissionDecision,
        answer: @escaping (StreamAdmissionDecision) -> Void
    ) {
        let peer = context?.channel.remoteAddress
        eventLoop.makeFutureWithTask { await question(peer) }.assumeIsolated().whenComplete { [self] result in
            guard awaitedStream == stream else { return }
            answer((try? result.get()) ?? .unavailable)
        }
    }
}

extension RTSPCredential {
    fileprivate init(_ publisher: PublisherCredential) {
        self.init(
            username: publisher.username, realm: PublisherCredential.realm, md5: publisher.md5,
            sha256: publisher.sha256)
    }
}
