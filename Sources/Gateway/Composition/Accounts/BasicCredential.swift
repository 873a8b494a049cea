import Foundation

/// Username and password of Basic authentication (RFC 7617).
enum BasicCredential {
    /// Limit of the text.
    private static let maximumByteCount = 4_096

    /// - Parameter value: the value of an `Authorization` header.
    /// - Returns: `nil` if it is something else.
    static func parse(_ value: String) -> (user: String, password: String)? {
        guard value.lowercased().hasPrefix("basic "), value.utf8.count <= maximumByteCount else { return nil }
        let text = value.dropFirst("basic ".count).filter { $0 != " " }
        guard let data = Data(base64Encoded: text) else { return nil }
        let parts = String(decoding: data, as: UTF8.self)
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
}
