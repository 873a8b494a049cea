/// A user as an identity provider knows them.
package struct ExternalIdentity: Sendable, Hashable {
    /// The name of the provider in the configuration.
    package var provider: String
    /// The name that never changes, and is unique with the provider only.
    package var subject: String

    package init(provider: String, subject: String) { (self.provider, self.subject) = (provider, subject) }

    /// Limit of both texts; OpenID Connect Core 1.0 §2 allows 255 characters for a subject.
    package static let maximumByteCount = 255
}
