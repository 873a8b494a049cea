/// The host and port that a listener binds to: `127.0.0.1:8080`, `[::1]:8554`, `0.0.0.0:0`.
package struct SocketEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// A host name or an address; IPv6 without brackets.
    package var host: String
    /// The port; 0 chooses a free one.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The longest host name (RFC 1035 §2.3.4).
    private static let maximumHostByteCount = 255

    /// Parses `HOST:PORT`.
    ///
    /// - Parameters:
    ///   - text: the value to parse.
    ///   - setting: the flag or variable that the text comes from, for errors.
    /// - Throws: ``SettingError``
    package init(parsing text: String, setting: String) throws(SettingError) {
        let example = "write HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080"
        guard let colon = text.lastIndex(of: ":") else {
            throw SettingError(setting: setting, value: text, message: "has no port; \(example)")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw SettingError(setting: setting, value: text, message: "an IPv6 address needs brackets; \(example)")
        }
        guard !host.isEmpty, host.utf8.count <= Self.maximumHostByteCount, !host.contains(where: \.isWhitespace) else {
            throw SettingError(setting: setting, value: text, message: "has no host; \(example)")
        }
        let digits = text[text.index(after: colon)...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), port <= 65535 else {
            throw SettingError(
                setting: setting, value: text, message: "the port must be a number from 0 (a free one) to 65535")
        }
        self.init(host: host, port: port)
    }

    /// The host with brackets around an IPv6 address, as it stands in URLs.
    package var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    package var description: String { "\(urlHost):\(port)" }
}
