import HTTPTypes
import NIOCore
import MediaCore

/// One request with everything needed to answer it.
struct MediaExchange: Sendable {
    var request: HTTPRequest
    var media: MediaRequest
    var eventLoop: any EventLoop
    /// The body of a request with POST; `nil` for all other requests.
    var body: ByteBuffer?
    /// The hash of address and user agent, see ``ViewerCounter``; `nil` if this viewer has just been counted.
    var viewerKey: UInt64?
    /// The client's address, whose share of the delivery budget is used.
    var peer = AddressGroup(nil)
    /// The address of the connection; `nil` in tests without sockets.
    var address: SocketAddress?
    /// True if bodies can be written to the connection's socket directly, bypassing all handlers: plain HTTP/1.1.
    var isDirect = false

    /// Whether a page in a browser asks (Fetch Metadata), not a player by itself.
    var isFromPage: Bool { request.headerFields.contains { $0.name.canonicalName == "sec-fetch-site" } }

    /// The question whether the client may watch.
    var viewingRequest: ViewingRequest {
        ViewingRequest(
            MediaAddress(media), fields: request.headerFields, target: request.path ?? "", peer: address)
    }

    var acceptsGzip: Bool { AcceptedCodings.includeGzip(request.headerFields.first(.acceptEncoding)) }
}
