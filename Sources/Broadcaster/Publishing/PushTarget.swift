import Foundation

/// The stream to publish to.
public struct PushTarget: Hashable, Sendable {
    /// The transport of media.
    public enum Transport: String, Hashable, Sendable, CaseIterable, Codable {
        /// Interleaved on the RTSP connection, which passes every firewall and loses nothing.
        case tcp
        /// RTP over UDP.
        case udp
    }

    /// Credentials for Basic and Digest authentication (RFC 2617, RFC 7616).
    public struct Credentials: Hashable, Sendable {
        /// The user name.
        public var username: String
        /// The password in clear text; Digest sends only a hash of it.
        public var password: String

        /// Creates credentials; both strings may be empty.
        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// A host name or an address; IPv6 without brackets.
    public var host: String
    /// The TCP port, 1 to 65535.
    public var port: Int
    /// True to use RTSPS, which is TLS from the first byte.
    public var isSecure: Bool
    /// The path and query, such as `/live/canalA.stream?preset=medium`.
    public var path: String
    /// The transport of media.
    public var transport: Transport
    /// The credentials, which are sent only if the server asks for them.
    public var credentials: Credentials?
    /// The path of a PEM file with the authorities to trust instead of the system's.
    public var trustedCertificates: String?
    /// True to accept any certificate, for a server on a trusted network.
    public var acceptsAnyCertificate = false

    /// Antena's default port for RTSP.
    public static let defaultPort = 8554
    /// The default port for RTSPS (RFC 7826 §4.2); Antena listens there only if told to.
    public static let defaultSecurePort = 322

    /// Parses an address.
    ///
    /// - Parameters:
    ///   - text: An address `rtsp://[user:password@]host[:port]/path` or `rtsps:`.
    ///   - transport: How media is sent.
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
        else { throw BroadcastError(.usage, "\"\(text)\" has an invalid port; ports are 1 to 65535") }
        self.port = Int(port)
        let path = components.percentEncodedPath
        self.path = (path.isEmpty ? "/" : path) + (components.percentEncodedQuery.map { "?" + $0 } ?? "")
        self.transport = transport
        if let user = components.user, !user.isEmpty {
            credentials = Credentials(username: user, password: components.password ?? "")
        }
    }

    /// `host:port`, for messages.
    public var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The URL for requests, without credentials.
    public var url: String { "\(isSecure ? "rtsps" : "rtsp")://\(endpoint)\(path)" }
}
