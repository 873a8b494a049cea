import Foundation

/// Where a push goes.
public struct PushTarget: Hashable, Sendable {
    /// How media travels.
    public enum Transport: String, Hashable, Sendable, CaseIterable, Codable {
        /// On the RTSP connection: gets through every firewall, and loses nothing.
        case tcp
        case udp
    }

    /// For Basic and Digest authentication (RFC 2617, RFC 7616).
    public struct Credentials: Hashable, Sendable {
        /// As the server knows it.
        public var username: String
        /// In the clear; Digest sends only what is derived of it.
        public var password: String

        /// Both may be empty.
        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// A name or an address; IPv6 without brackets.
    public var host: String
    /// TCP, 1 to 65535.
    public var port: Int
    /// RTSPS: TLS from the first byte.
    public var isSecure: Bool
    /// Path and query, such as `/live/canalA.stream?preset=medium`.
    public var path: String
    /// How media travels.
    public var transport: Transport
    /// Sent only where the server asks for them.
    public var credentials: Credentials?
    /// PEM file of the authorities to trust instead of the system's.
    public var trustedCertificates: String?
    /// Takes any certificate: for a server in one's own room.
    public var acceptsAnyCertificate = false

    /// Antena's for RTSP.
    public static let defaultPort = 8554
    /// RFC 7826 §4.2 has 322 for RTSPS; Antena listens there only where it is told to.
    public static let defaultSecurePort = 322

    /// - Parameter text: `rtsp://[user:password@]host[:port]/path` or `rtsps:`.
    /// - Throws: ``BroadcastError``
    public init(parsing text: String, transport: Transport) throws(BroadcastError) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            ["rtsp", "rtsps"].contains(scheme), let host = components.host, !host.isEmpty
        else {
            throw BroadcastError(
                .usage, "\"\(text)\" is not an RTSP address; write it like rtsp://192.168.1.10:8554/live/canalA.stream")
        }
        // URLComponents keeps the brackets of an IPv6 address.
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        isSecure = scheme == "rtsps"
        guard let port = UInt16(exactly: components.port ?? (isSecure ? Self.defaultSecurePort : Self.defaultPort)),
            port > 0
        else { throw BroadcastError(.usage, "\"\(text)\" names a port that there is not") }
        self.port = Int(port)
        let path = components.percentEncodedPath
        self.path = (path.isEmpty ? "/" : path) + (components.percentEncodedQuery.map { "?" + $0 } ?? "")
        self.transport = transport
        if let user = components.user, !user.isEmpty {
            credentials = Credentials(username: user, password: components.password ?? "")
        }
    }

    /// `host:port`, for people.
    public var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// As requests name it: without credentials.
    public var url: String { "\(isSecure ? "rtsps" : "rtsp")://\(endpoint)\(path)" }
}
