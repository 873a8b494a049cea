import ChannelPublishing
package import LibSRT
package import LiveChannels
import LogMetadata
package import Logging
import MediaCore
package import NIOCore
import ServiceLifecycle
package import StreamConnections

/// SRT server for publishers and readers of MPEG-TS.
package final class SRTServer: Service {
    private let environment: SRTServerEnvironment
    private let engine: SRTEngine
    private let onListening: @Sendable (SocketAddress) -> Void

    /// - Parameters:
    ///   - configuration: listener and limits.
    ///   - engine: makes the connections.
    ///   - channels: the live channels.
    ///   - eventLoopGroup: the event loops that serve the connections.
    ///   - admission: asks the accounts; `nil` for a server without any.
    ///   - logger: logger of the server.
    ///   - onListening: called with the address of the listener when it is open.
    package init(
        configuration: SRTServerConfiguration, engine: SRTEngine, channels: LiveChannelDirectory,
        eventLoopGroup: any EventLoopGroup, admission: (any StreamAdmission)? = nil, logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) -> Void = { _ in }
    ) {
        environment = SRTServerEnvironment(
            configuration: configuration, channels: channels, eventLoopGroup: eventLoopGroup, admission: admission,
            logger: logger)
        (self.engine, self.onListening) = (engine, onListening)
    }

    /// The current values of the counters.
    package func statistics() -> SRTServerStatistics { environment.statistics }

    /// Serves until graceful shutdown or cancellation, then closes all connections.
    ///
    /// - Throws: ``SRTListenerError`` if the listener cannot be opened.
    package func run() async throws {
        let (host, port) = (environment.configuration.host, environment.configuration.port)
        let environment = self.environment
        do {
            let address = try SocketAddress.makeAddressResolvingHost(host, port: port)
            let listener = try engine.listen(at: address) { request in
                Self.answer(request, environment)
            } onConnection: { connection in
                Self.take(connection, environment)
            }
            environment.logger.info("SRT listener started", metadata: [.listenerAddress: "\(listener.address)"])
            onListening(listener.address)
        } catch {
            throw SRTListenerError("\(error)")
        }
        try? await gracefulShutdown()
        environment.closeAll()
    }

    /// Decides about a connection before there is one. What accounts have to be asked is decided afterwards.
    private static func answer(
        _ request: SRTListener.Request, _ environment: SRTServerEnvironment
    ) -> SRTListener.Answer {
        let answer = verdict(on: request, environment)
        guard case .refused(let reason) = answer else { return answer }
        environment.update { $0.refusedConnectionCounts["\(reason)", default: 0] += 1 }
        environment.logger.notice(
            "SRT connection refused",
            metadata: [
                .peerAddress: "\(request.peer.map(\.displayed) ?? "")", .reason: "\(reason)",
                .channelName: "\(SRTStreamID(request.streamID)?.channel ?? "")",
            ])
        return answer
    }

    private static func verdict(
        on request: SRTListener.Request, _ environment: SRTServerEnvironment
    ) -> SRTListener.Answer {
        guard let streamID = SRTStreamID(request.streamID) else { return .refused(.badRequest) }
        guard let name = streamID.channel, let channel = environment.channels.channel(named: name) else {
            return .refused(.notFound)
        }
        guard !environment.isFull(request.peer) else { return .refused(.overload) }
        let policy = channel.configuration.srt
        guard streamID.purpose == .publishing else {
            return .accepted(SRTOptions(isSender: true, latency: policy.latency, passphrase: policy.passphrase))
        }
        switch environment.gate.verdict(
            without: streamID.credential, channel.configuration.publishing.access, from: request.peer)
        {
        case .admitted, nil: break
        case .credentialNeeded: return .refused(.unauthorized)
        case .loopbackOnly, .wrongCredential, .tooManyAttempts: return .refused(.forbidden)
        case .unavailable: return .refused(.unavailable)
        }
        switch channel.publishingError(presetName: streamID.preset) {
        case .channelBusy: return .refused(.conflict)
        case .unknownPreset: return .refused(.badRequest)
        case .closed: return .refused(.unavailable)
        case nil: break
        }
        var options = SRTOptions(isSender: false, latency: policy.latency, passphrase: policy.passphrase)
        if streamID.hasOwnPassphrase {
            options.passphrase = streamID.credential.flatMap { environment.admission?.passphrase(for: $0) }
            guard options.passphrase != nil else { return .refused(.forbidden) }
        }
        return .accepted(options)
    }

    private static func take(_ connection: SRTConnection, _ environment: SRTServerEnvironment) {
        guard let streamID = SRTStreamID(connection.streamID), let name = streamID.channel,
            let channel = environment.channels.channel(named: name)
        else { return connection.close() }
        let loop = environment.eventLoopGroup.next()
        // The connection is made on the engine's thread, and used on the loop alone.
        let peer = loop.makePromise(of: NIOLoopBound<SRTPeer>.self)
        connection.follow { bytes in
            peer.futureResult.whenSuccess { $0.value.receive(bytes) }
        } end: { reason in
            peer.futureResult.whenSuccess { $0.value.ended(reason) }
        }
        loop.execute {
            let made = SRTPeer(connection, streamID, channel, environment, on: loop)
            made.begin()
            peer.succeed(NIOLoopBound(made, eventLoop: loop))
        }
    }
}
