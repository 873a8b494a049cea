import HTTPTypes
import HLSDelivery
import HummingbirdCore
import NIOCore
import NIOHPACK
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// The configuration of HTTP connections. Both versions are built from it and from nothing else, so that nothing holds
/// for one and not for the other.
struct HTTPConnectionConfiguration: Sendable {
    /// Limits of heads.
    var limits = HTTPRequestLimits()
    /// The memory of all requests.
    var budget: RequestBudget
    /// The tasks of the router that wait.
    var tasks = RouterTasks()
    /// Takes what browsers publish; `nil` in tests without it.
    var webSocket: WebSocketUpgrade?
    /// The handlers between the codec and the router, made for each connection, with HTTP/2 for each stream.
    var handlers: @Sendable () -> [any RemovableChannelHandler]

    /// HTTP/1.1.
    ///
    /// The delivery handler sees every request, so it detects idle connections; Hummingbird's own timeout would close
    /// connections that only fetch media.
    var http1: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestHeadErrorHandler(limits: limits), RequestAccountHandler(budget: budget)]
                + handlers(),
            idleTimeout: nil, httpDecoderConfiguration: limits.decoder)
    }

    /// Adds the handlers of an HTTP/2 stream up to the router.
    ///
    /// - Parameters:
    ///   - stream: the channel of the stream.
    ///   - account: the account of its connection.
    func addHandlers(to stream: any Channel, account: RequestAccount) throws {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        try pipeline.addHandler(RequestAccountHandler(account: account))
        try pipeline.addHandlers(handlers())
    }

    /// Whether a request of HTTP/2 is one that is answered without the router.
    static func asksForMedia(_ headers: HPACKHeaders) -> Bool {
        guard let method = headers.first(name: ":method"), let target = headers.first(name: ":path") else {
            return false
        }
        return MediaDeliveryHandler.answers(method: method, target: target)
    }
}
