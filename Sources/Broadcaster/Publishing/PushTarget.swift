import Foundation

/// Where a push goes.
package struct PushTarget: Hashable, Sendable {
    package enum Transport: String, Hashable, Sendable, CaseIterable, Codable {
        /// On the RTSP connection: gets through every firewall, and loses nothing.
        case tcp
        case udp
    }

    package struct Credentials: Hashable, Sendable {
        package var username: String
        package var password: String

        package init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    package var host: String
    package var port: Int
    /// RTSPS: TLS from the first byte.
    package var isSecure: Bool
    /// Path and query, such as `/live/canalA.stream?preset=medium`.
    package var path: String
    package var transport: Transport
    package var credentials: Credentials?
    /// PEM file of the authorities to trust instead of the system's.
    package var trustedCertificates: String?
    /// Takes any certificate: for a server in one's own room.
    package var acceptsAnyCertificate = false

    package static let defaultPort = 8554
    /// RFC 7826 §4.2 has 322 for RTSPS; Antena listens there only where it is told to.
    package static let defaultSecurePort = 322

    /// - Parameter text: `rtsp://[user:password@]host[:port]/path` or `rtsps:`.
    /// - Throws: ``BroadcastError``
    package init(parsing text: String, transport: Transport) throws(BroadcastError) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            ["rtsp", "rtsps"].contains(scheme), let host = components.host, !host.isEmpty
        else {
            throw BroadcastError(
                .usage, "\"\(text)\" is no RTSP address; write it like rtsp://192.168.1.10:8554/live/canalA.stream")
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
    package var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// As requests name it: without credentials.
    package var url: String { "\(isSecure ? "rtsps" : "rtsp")://\(endpoint)\(path)" }
}
