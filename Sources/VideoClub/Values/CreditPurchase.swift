import Foundation

/// How members get credits, as the operator says: an address, and a text in each language.
package struct CreditPurchase: Sendable, Hashable {
    /// The placeholder for the member's name in an address.
    package static let placeholder = "{name}"

    /// The address at which members buy credits, with ``placeholder``; `nil` for none.
    package var address: String?
    /// The texts for members, keyed by language (`en`, `es`).
    package var texts: [String: String]

    package init(address: String? = nil, texts: [String: String] = [:]) {
        (self.address, self.texts) = (address, texts)
    }

    /// The address for a member.
    ///
    /// - Parameter username: their name, which is percent-encoded.
    /// - Returns: `nil` if the operator has named none.
    package func address(for username: String) -> String? {
        let name = username.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        return address?.replacing(Self.placeholder, with: name)
    }

    /// The text for members in a language, or in another one if there is none in it.
    ///
    /// - Returns: `nil` if the operator has written none.
    package func text(_ language: String) -> String? {
        texts[language] ?? texts.sorted { $0.key < $1.key }.first?.value
    }

    /// RFC 3986 §2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
