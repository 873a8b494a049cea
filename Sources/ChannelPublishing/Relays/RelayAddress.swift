import Foundation

/// The address of a stream elsewhere, from which a channel is fetched or to which it is copied.
package struct RelayAddress: Sendable, Hashable, CustomStringConvertible {
    package enum Scheme: String, Sendable, Hashable, CaseIterable {
        case rtsp, rtsps, rtmp, rtmps, srt, udp, rtp, http, https

        /// The port that addresses without one mean; `nil` if they need one.
        var defaultPort: Int? {
            switch self {
            case .rtsp: 554
            case .rtsps: 322
            case .rtmp: 1935
            case .rtmps: 443
            case .http: 80
            case .https: 443
            case .srt, .udp, .rtp: nil
            }
        }

        /// Whether a channel can be copied to such an address; it can be fetched from each.
        package var isDestination: Bool {
            switch self {
            case .rtsp, .rtsps, .rtmp, .rtmps, .srt: true
            case .udp, .rtp, .http, .https: false
            }
        }

        package var isSecure: Bool { self == .rtsps || self == .rtmps || self == .https }
    }

    package let scheme: Scheme
    /// A name or an address; IPv6 without brackets.
    package let host: String
    package let port: Int
    /// The path and query, percent-encoded.
    package let path: String
    /// The parameters of the query.
    package let parameters: [String: String]
    package var username: String?
    package var password: String?

    /// Bytes of an address; services use a few hundred for their keys.
    package static let maximumByteCount = 2_048

    /// - Returns: `nil` for a text that is no such address.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount, let components = URLComponents(string: text),
            let scheme = components.scheme.flatMap({ Scheme(rawValue: $0.lowercased()) }),
            let host = components.host, !host.isEmpty, components.fragment == nil,
            let port = components.port ?? scheme.defaultPort, (1...Int(UInt16.max)).contains(port)
        else { return nil }
        self.scheme = scheme
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
        let path = components.percentEncodedPath
        self.path = (path.isEmpty ? "/" : path) + (components.percentEncodedQuery.map { "?\($0)" } ?? "")
        var parameters: [String: String] = [:]
        for item in components.queryItems ?? [] { parameters[item.name] = item.value ?? "" }
        self.parameters = parameters
        (username, password) = (components.user, components.password)
    }

    /// `host:port`
    package var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address without username, password and query.
    package var url: String { "\(scheme.rawValue)://\(endpoint)\(path)" }

    /// The address without what may be secret: login, query, and the last part of the path, which is the key of many
    /// services.
    package var description: String {
        let folders = path.prefix { $0 != "?" }.split(separator: "/").dropLast()
        let shown = folders.isEmpty ? "" : "/" + folders.joined(separator: "/")
        return "\(scheme.rawValue)://\(endpoint)\(shown)/…"
    }
}
