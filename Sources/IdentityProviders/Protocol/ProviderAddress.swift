import Foundation

/// An address of a provider.
package enum ProviderAddress {
    /// Limit of an address.
    private static let maximumByteCount = 2_000

    /// Whether requests may be sent to an address: with HTTPS, or on this machine, because codes and tokens are sent.
    package static func isUsable(_ text: String) -> Bool {
        guard text.utf8.count <= maximumByteCount, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
            let components = URLComponents(string: text), components.user == nil, components.password == nil,
            components.fragment == nil, let host = components.host, !host.isEmpty
        else { return false }
        switch components.scheme {
        case "https": return true
        case "http": return host == "localhost" || host == "[::1]" || host == "::1" || isLoopbackIPv4(host)
        default: return false
        }
    }

    /// A name may begin with `127.`, and lead anywhere.
    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && $0.utf8.first != 0x2B }
    }

    /// An address with further parameters.
    static func adding(_ parameters: [(String, String)], to address: String) -> String {
        address + (address.contains("?") ? "&" : "?") + form(parameters)
    }

    /// Parameters as `application/x-www-form-urlencoded`.
    static func form(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    }

    /// RFC 3986 §2.3: everything that is not unreserved is encoded.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
