import HummingbirdCore
import Logging
import LogMetadata
import MediaCore
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// Sets up HTTP/2 connections (RFC 9113). Each stream has the handlers of an HTTP/1.1 connection with one request.
struct HTTP2Channel: ServerChildChannel {
    private let configuration: HTTPConnectionConfiguration
    /// Provides the responder and the loop that serves a stream.
    private let http1: HTTP1Channel
    private let timeouts: HTTPSTimeouts

    init(
        configuration: HTTPConnectionConfiguration, responder: @escaping HTTPChannelHandler.Responder,
        timeouts: HTTPSTimeouts
    ) {
        self.configuration = configuration
        self.timeouts = timeouts
        http1 = HTTP1Channel(responder: responder, configuration: configuration.http1)
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// The streams, each of which has its value when its turn has come and the router has something to do.
        let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<EventLoopFuture<RouterEntryHandler.Started>>
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let lifetime = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(
                    maxIdleTime: TimeAmount(timeouts.idle), maxAge: nil, maxGraceTime: nil,
                    keepalive: .init(
                        pingInterval: TimeAmount(timeouts.keepalive),
                        ackTimeout: TimeAmount(timeouts.keepaliveAnswer))))
            let turns = NIOLoopBound(StreamTurns(), eventLoop: channel.eventLoop)
            let account = configuration.budget.account(of: AddressGroup(channel.remoteAddress)) { [weak channel] in
                channel?.closeAtOnce()
            }
            try pipeline.addHandler(PartialHeadHandler(isHTTP2: true) { account })
            let streams = try pipeline.configureAsyncHTTP2Pipeline(
                mode: .server, streamDelegate: lifetime.http2StreamDelegate,
                frameDelegate: HTTP2ConnectionCloser(channel: channel, timeout: timeouts.closing, logger: logger),
                configuration: HTTPLimits.http2(configuration.limits)
            ) { [configuration] stream in
                stream.eventLoop.makeCompletedFuture {
                    try Self.prepare(stream, turns: turns.value, account: account, configuration)
                }
            }
            try pipeline.addHandler(lifetime)
            // Starts the timers, which wait for channelActive; this connection had that event before its handshake.
            try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
            return Value(channel: channel, streams: streams)
        }
    }

    /// Has a stream wait for its turn.
    ///
    /// - Returns: the stream with all its handlers; fails if it ends before its turn.
    private static func prepare(
        _ stream: any Channel, turns: StreamTurns, account: RequestAccount, _ configuration: HTTPConnectionConfiguration
    ) throws -> EventLoopFuture<RouterEntryHandler.Started> {
        let started = stream.eventLoop.makePromise(of: RouterEntryHandler.Started.self)
        let handler = StreamTurnHandler(
            turns: turns, limits: configuration.limits, account: account,
            asksForMedia: HTTPConnectionConfiguration.asksForMedia,
            start: { [unowned stream] in
                try configuration.addHandlers(to: stream, account: account)
                try stream.pipeline.syncOperations.addHandler(
                    RouterEntryHandler(started: started, isStream: true, tasks: configuration.tasks))
            },
            onEnd: { started.fail(ChannelError.ioOnClosedChannel) })
        try stream.pipeline.syncOperations.addHandler(handler)
        return started.futureResult
    }

    func handle(value: Value, logger: Logger) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await stream in value.streams.inbound {
                    group.addTask {
                        // It fails if the client gives up before the turn of the stream, or fetches media.
                        guard let started = try? await stream.get() else { return }
                        started.task.attend()
                        await http1.handle(value: started.value, logger: logger)
                        started.task.end()
                    }
                }
            }
        } catch {
            logger.debug(
                "HTTP/2 connection lost",
                metadata: [.peerAddress: "\(value.channel.remoteAddress?.description ?? "")", .error: "\(error)"])
        }
    }
}
