import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import TransportSecurity

/// Connections of the HTTPS port: TLS, then HTTP/2 or HTTP/1.1, whichever ALPN (RFC 7301) settles. A client without
/// ALPN gets HTTP/1.1.
struct HTTPSChannel: ServerChildChannel {
    let identity: TLSIdentity
    let http1: HTTP1Channel
    let http2: HTTP2Channel
    let timeouts: HTTPSTimeouts

    /// In order of preference.
    static let applicationProtocols = ["h2", "http/1.1"]

    /// - Parameters:
    ///   - identity: offers ``applicationProtocols``; asked for its certificate at each connection.
    ///   - http1: of which streams of HTTP/2 have the handlers and the responder, too.
    init(
        identity: TLSIdentity, responder: @escaping HTTPChannelHandler.Responder, http1: HTTP1Channel.Configuration,
        timeouts: HTTPSTimeouts = HTTPSTimeouts()
    ) {
        self.identity = identity
        self.timeouts = timeouts
        self.http1 = HTTP1Channel(responder: responder, configuration: http1)
        http2 = HTTP2Channel(http1: self.http1, timeouts: timeouts)
    }

    enum Negotiated: Sendable {
        case http1(HTTP1Channel.Value)
        case http2(HTTP2Channel.Value)
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// Fails where the handshake does.
        let negotiated: EventLoopFuture<Negotiated>
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // Who has shut down the sending side has gone: with TLS an end without its alert may be an attacker's.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
            let context = identity.context { error in
                logger.error("the new certificate is not used", metadata: ["error": "\(error)"])
            }
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { [http1, http2] result in
                switch result {
                case .negotiated("h2"): http2.setup(channel: channel, logger: logger).map { .http2($0) }
                case .negotiated, .fallback: http1.setup(channel: channel, logger: logger).map { .http1($0) }
                }
            }
            try channel.pipeline.syncOperations.addHandlers([
                PlainHTTPRefusalHandler(), NIOSSLServerHandler(context: context),
                PacedWriteHandler(), TLSHandshakeHandler(timeout: timeouts.handshake, logger: logger), negotiation,
            ])
            return Value(channel: channel, negotiated: negotiation.protocolNegotiationResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            do {
                switch try await value.negotiated.get() {
                case .http1(let connection): await http1.handle(value: connection, logger: logger)
                case .http2(let connection): await http2.handle(value: connection, logger: logger)
                }
            } catch {
                // The handshake has failed, which its handler has logged.
                try? await value.channel.closeFuture.get()
            }
        } onCancel: {
            // The time for a graceful shutdown is over.
            value.channel.closeAtOnce()
        }
    }
}

/// How long the HTTPS port waits for a client. Idle connections of HTTP/1.1 are `MediaDeliveryHandler`'s affair.
struct HTTPSTimeouts: Sendable {
    /// From the connection to the end of the handshake; as long as an RTSP connection has for its first request.
    var handshake = TimeAmount.seconds(10)
    /// Of a connection of HTTP/2 without a stream: as long as one of HTTP/1.1 without a request.
    var idle = MediaDeliveryHandler.idleTimeout
    /// Silence after which a client of HTTP/2 is asked whether it is still there: beyond any wait for a playlist, so
    /// that players are not asked.
    var keepalive = TimeAmount.seconds(60)
    /// For its answer; a telephone that has changed networks does not give one.
    var keepaliveAnswer = TimeAmount.seconds(20)
    /// From a GOAWAY to the end, for streams that were open; a client that is gone does not end them.
    var closing = TimeAmount.seconds(30)
}
