/// Where a listener binds: `127.0.0.1:8080`, `[::1]:8554`, `0.0.0.0:0`.
package struct SocketEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address, IPv6 without brackets.
    package var host: String
    /// 0 takes a free one.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// RFC 1035 §2.3.4
    private static let maximumHostByteCount = 255

    /// - Throws: ``SettingError`` that names `setting`.
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

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A flag or an environment variable whose value cannot be used.
package struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `--http` or `ANTENA_HTTP`
    package var setting: String
    package var value: String
    /// What is wrong, and what would be right.
    package var message: String

    package var description: String { "\(setting) \"\(value)\": \(message)" }
}
