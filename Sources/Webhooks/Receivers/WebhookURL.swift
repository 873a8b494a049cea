import Accounts
import Foundation
import MediaCore

/// The rules for addresses of receivers. Whether the host may be connected to is decided at each attempt.
enum WebhookURL {
    /// - Parameters:
    ///   - text: an address from a client.
    ///   - allowsPlainHTTP: whether `http` is allowed.
    /// - Returns: the address as it is stored.
    /// - Throws: `Refusal` with `invalidField`.
    static func checked(_ text: String, allowsPlainHTTP: Bool) throws(Refusal) -> String {
        let schemes = allowsPlainHTTP ? ["https", "http"] : ["https"]
        guard text.utf8.count <= WebhookReceiver.maximumURLByteCount,
            text.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }),
            let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: false), !host.isEmpty, url.user == nil, url.password == nil,
            url.fragment == nil, url.port.map({ (1...65_535).contains($0) }) ?? true
        else {
            throw Refusal(
                .invalidField,
                """
                the field `url` must be an address such as https://example.org/antena, without a username and of at \
                most \(WebhookReceiver.maximumURLByteCount) characters
                """, fields: ["url"])
        }
        guard schemes.contains(scheme) else {
            throw Refusal(
                .invalidField,
                "the field `url` must begin with https://; --allow-private-imports also allows http://",
                fields: ["url"])
        }
        return text
    }
}
