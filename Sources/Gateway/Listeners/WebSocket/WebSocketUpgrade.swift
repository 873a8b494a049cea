import Crypto
import Foundation
import HTTPEndpoints
import HTTPTypes
import NIOCore
import StreamConnections
import WebIngest

/// Decides about requests that want to publish by WebSocket (RFC 6455): `GET /ingest/CHANNEL`.
struct WebSocketUpgrade: Sendable {
    /// The answer to a request.
    enum Decision: Sendable {
        /// It is not for WebSocket.
        case other
        case refused(HTTPResponse.Status)
        /// The response, and the browser.
        case accepted(HTTPResponse, channel: String, IngestSession.Browser)
    }

    static let prefix = "/ingest/"
    private static let version = "13"
    /// The text that every server appends to the key (RFC 6455 §1.3).
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    private static let keyByteCount = 16

    let ingest: IngestServer
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    let publicAddress: PublicAddress?

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - peer: the address of the connection.
    ///   - isSecure: whether it came by TLS.
    func decide(_ head: HTTPRequest, from peer: SocketAddress?, isSecure: Bool) -> Decision {
        guard head.method == .get, let path = head.path, path.hasPrefix(Self.prefix) else { return .other }
        let name = path.dropFirst(Self.prefix.count).prefix { $0 != "?" }
        guard let channel = ChannelPath.name(name), ingest.hasChannel(named: channel) else {
            return .refused(.notFound)
        }
        let fields = head.headerFields
        guard Self.has("upgrade", in: fields[.connection]), Self.has("websocket", in: fields[.upgrade]),
            fields[.secWebSocketVersion] == Self.version, let key = fields[.secWebSocketKey],
            Data(base64Encoded: key)?.count == Self.keyByteCount
        else { return .refused(.upgradeRequired) }
        let origin = fields[.origin]
        // A browser says on whose behalf it asks. Another site's page must not use the visitor's login.
        guard origin.map({ isOwn($0, head) }) ?? true else { return .refused(.forbidden) }
        let digest = Insecure.SHA1.hash(data: Data((key + Self.suffix).utf8))
        let response = HTTPResponse(
            status: .switchingProtocols,
            headerFields: [
                .upgrade: "websocket", .connection: "Upgrade",
                .secWebSocketAccept: Data(digest).base64EncodedString(),
            ])
        return .accepted(
            response, channel: channel,
            IngestSession.Browser(
                peer: peer, userAgent: fields[.userAgent],
                session: origin == nil ? nil : SessionCookie.secret(in: fields), isSecure: isSecure))
    }

    /// Whether an origin is this site: that of the request's host, or the public address.
    private func isOwn(_ origin: String, _ head: HTTPRequest) -> Bool {
        if origin == publicAddress?.origin { return true }
        guard let components = URLComponents(string: origin), let host = components.host,
            let authority = head.authority?.lowercased()
        else { return false }
        let port = components.port.map { ":\($0)" } ?? ""
        return "\(host.lowercased())\(port)" == authority
    }

    private static func has(_ token: String, in field: String?) -> Bool {
        (field ?? "").lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains { $0 == token }
    }
}
