import HummingbirdCore
import Logging
import LogMetadata
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// Sets up HTTP/2 connections (RFC 9113). Each stream has the handlers of an HTTP/1.1 connection with one request.
struct HTTP2Channel: ServerChildChannel {
    /// Provides the handlers, the responder and the loop that serves a stream.
    let http1: HTTP1Channel
    let timeouts: HTTPSTimeouts

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<HTTP1Channel.Value>
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
            let streams = try pipeline.configureAsyncHTTP2Pipeline(
                mode: .server, streamDelegate: lifetime.http2StreamDelegate,
                frameDelegate: HTTP2ConnectionCloser(channel: channel, timeout: timeouts.closing, logger: logger),
                configuration: HTTPLimits.http2
            ) { [http1] stream in
                stream.eventLoop.makeCompletedFuture {
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    try pipeline.addHandler(StreamTurnHandler(turns: turns.value))
                    try pipeline.addHandlers(http1.configuration.additionalChannelHandlers())
                    return try HTTP1Channel.Value(wrappingChannelSynchronously: stream)
                }
            }
            try pipeline.addHandler(lifetime)
            // Starts the timers, which wait for channelActive; this connection had that event before its handshake.
            try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
            return Value(channel: channel, streams: streams)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await stream in value.streams.inbound {
                    group.addTask { await http1.handle(value: stream, logger: logger) }
                }
            }
        } catch {
            logger.debug(
                "HTTP/2 connection lost",
                metadata: [.peerAddress: "\(value.channel.remoteAddress?.description ?? "")", .error: "\(error)"])
        }
    }
}
