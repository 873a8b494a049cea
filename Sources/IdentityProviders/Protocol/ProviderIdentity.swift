import JSONDocument

/// The identity of a user, as a provider states it.
package struct ProviderIdentity: Sendable, Hashable, Codable {
    /// The ``IdentityProvider/id`` of the provider.
    package var provider: String
    /// The name that never changes, and is unique with the provider only.
    package var subject: String
    /// A name that the account could have; nobody has checked it.
    package var username: String?
    package var email: String?
    /// Whether the provider has checked that the address belongs to somebody.
    package var isEmailVerified = false
    package var name: String?
    /// The address of an image of the person (the claim `picture` of OpenID Connect Core 1.0 §5.1).
    package var picture: String?
    /// The names of the roles that the provider decides; `nil` if it decides none.
    package var roles: [String]?

    package init(provider: String, subject: String) { (self.provider, self.subject) = (provider, subject) }

    /// OpenID Connect Core 1.0 §2: a subject has at most 255 characters.
    static let maximumSubjectByteCount = 255
    /// Limit of the other texts, which are proposals for a form.
    private static let maximumTextLength = 200

    static func text(_ node: JSONNode?) -> String? {
        guard let text = node?.string, !text.isEmpty, text.unicodeScalars.count <= maximumTextLength else { return nil }
        return text
    }

    /// Limit of addresses, which some providers sign.
    private static let maximumAddressByteCount = 2_048

    static func address(_ node: JSONNode?) -> String? {
        guard let text = node?.string, text.utf8.count <= maximumAddressByteCount,
            ["https://", "http://"].contains(where: text.hasPrefix)
        else { return nil }
        return text
    }

    static func subject(_ node: JSONNode?) throws(ProviderError) -> String {
        guard let subject = node?.identifier, (1...maximumSubjectByteCount).contains(subject.utf8.count) else {
            throw ProviderError(.notValid, "its answer does not identify the user")
        }
        return subject
    }
}
