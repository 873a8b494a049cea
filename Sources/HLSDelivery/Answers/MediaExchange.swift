import HTTPTypes
import NIOCore
import MediaCore

/// One request with everything needed to answer it.
struct MediaExchange: Sendable {
    var request: HTTPRequest
    var media: MediaRequest
    var eventLoop: any EventLoop
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

    var acceptsGzip: Bool {
        guard let header = request.headerFields.first(.acceptEncoding) else { return false }
        var anyCoding = false
        for coding in header.split(separator: ",") {
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            // A weight of zero means "not acceptable" (RFC 9110 §12.4.2).
            let isAccepted = !parts.dropFirst().contains {
                $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) }
            }
            // An entry for gzip takes precedence over "*" (§12.5.3).
            if parts.first == "gzip" { return isAccepted }
            if parts.first == "*" { anyCoding = isAccepted }
        }
        return anyCoding
    }
}
