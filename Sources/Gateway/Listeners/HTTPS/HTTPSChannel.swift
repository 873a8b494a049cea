import HTTPEndpoints
import HTTPTypes
import HummingbirdCore
import Logging
import LogMetadata
import NIOCore
import NIOSSL
import NIOTLS
import TransportSecurity

/// Sets up connections of the HTTPS port: TLS, then HTTP/2 or HTTP/1.1, as negotiated with ALPN (RFC 7301). A client
/// without ALPN gets HTTP/1.1.
struct HTTPSChannel: ServerChildChannel {
    let identity: TLSIdentity
    let http1: PlainHTTPChannel
    let http2: HTTP2Channel
    let timeouts: HTTPSTimeouts

    /// The ALPN protocols in order of preference.
    static let applicationProtocols = ["h2", "http/1.1"]

    /// - Parameters:
    ///   - identity: the certificate, read again for each connection; offers ``applicationProtocols``.
    ///   - configuration: what connections of both versions are made from.
    init(
        identity: TLSIdentity, responder: @escaping HTTPChannelHandler.Responder,
        configuration: HTTPConnectionConfiguration, timeouts: HTTPSTimeouts = HTTPSTimeouts()
    ) {
        self.identity = identity
        self.timeouts = timeouts
        // HTTP/1.1 does not say that it is inside of TLS, and an HTTP/2 client may say something else.
        let secured: HTTPChannelHandler.Responder = { request, writer, channel in
            try await responder(request.changingHead { $0.scheme = "https" }, writer, channel)
        }
        http1 = PlainHTTPChannel(responder: secured, configuration: configuration, isSecure: true)
        http2 = HTTP2Channel(configuration: configuration, responder: secured, timeouts: timeouts)
    }

    enum Negotiated: Sendable {
        case http1(PlainHTTPChannel.Value)
        case http2(HTTP2Channel.Value)
    }

    struct Value: ServedLater {
        let channel: any Channel
        /// The negotiated connection; fails if the handshake fails.
        let negotiated: EventLoopFuture<Negotiated>

        var served: EventLoopFuture<Void> {
            negotiated.flatMap { negotiated in
                switch negotiated {
                case .http1(let connection): connection.served
                case .http2(let connection): connection.channel.eventLoop.makeSucceededVoidFuture()
                }
            }
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // A client that closes its sending side counts as disconnected: with TLS, an end without an alert may come
            // from an attacker.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
            let context = identity.context { error in
                logger.error("new certificate is not valid; keeping the previous one", metadata: [.error: "\(error)"])
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
                // The handshake has failed; its handler has logged that.
                try? await value.channel.closeFuture.get()
            }
        } onCancel: {
            // The graceful shutdown has timed out.
            value.channel.closeAtOnce()
        }
    }
}
