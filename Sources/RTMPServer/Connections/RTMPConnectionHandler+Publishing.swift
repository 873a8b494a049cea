import ChannelPublishing
import LiveChannels
import LogMetadata
import Logging
import MediaCore
import NIOCore
import RTMPProtocol
import StreamConnections

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
        let peer = context?.channel.remoteAddress
        let verdict: EventLoopFuture<PublisherVerdict>
        if address.credential == nil, let answer = address.challenge, channel.configuration.publishing.access != .anyone
        {
            let (challenge, access, loop) = (environment.challenge, channel.configuration.publishing.access, eventLoop)
            verdict = environment.gate.slowly(peer, on: eventLoop) {
                guard case .credentials(let known) = access, challenge.accepts(answer, known, now: loop.now) else {
                    return loop.makeSucceededFuture(.wrongCredential)
                }
                return loop.makeSucceededFuture(.admitted(username: answer.user))
            }
        } else {
            verdict = environment.gate.decide(address.credential, for: channel, from: peer, on: eventLoop)
        }
        let name = address.credential?.username ?? address.challenge?.user ?? ""
        verdict.assumeIsolated().whenSuccess { [self] verdict in
            // The peer may have gone, or want something else meanwhile.
            guard awaitedStream == stream else { return }
            take(verdict, as: name, channel, stream, body)
        }
    }

    private func take(
        _ verdict: PublisherVerdict, as name: String, _ channel: LiveChannel, _ stream: UInt32, _ body: () -> Void
    ) {
        if case .admitted(let username) = verdict {
            if let username { logger.info("publisher logged in", metadata: [.userName: "\(username.prefix(100))"]) }
            body()
            return resume()
        }
        if verdict == .wrongCredential {
            environment.counters.update { $0.failedLoginCount += 1 }
            logger.notice("RTMP login failed", metadata: [.userName: "\(name.prefix(100))"])
        }
        if verdict == .credentialNeeded(takesPassword: true) { environment.invite(addressKey, now: eventLoop.now) }
        refuse(
            stream, verdict.words(channel: channel.name, hint: Self.credentialHint) ?? "", channel: channel.name)
    }

    private static let credentialHint =
        "put ?user=NAME&pass=PASSWORD or ?token=TOKEN behind the stream key, or enter username and password in the "
        + "encoder and start again"

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
