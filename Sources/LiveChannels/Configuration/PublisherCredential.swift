/// The digests that a publisher's password is checked against. The password itself is not kept: these digests are all
/// that Digest authentication needs (RFC 7616 §3.4.2). They are as good as the password on this realm, so they are
/// never shown either.
package struct PublisherCredential: Sendable, Hashable, CustomStringConvertible {
    /// The realm of every channel. It is part of the digests, so it cannot change while they are in use.
    package static let realm = "Antena"

    package var username: String
    /// H(username:realm:password) in lowercase hexadecimal digits, 32 of them.
    package var md5: String
    /// The same value with SHA-256: 64 digits.
    package var sha256: String

    package init(username: String, md5: String, sha256: String) {
        self.username = username
        self.md5 = md5
        self.sha256 = sha256
    }

    /// A description without the digests, which is safe to print.
    package var description: String { "publisher \"\(username)\"" }
}
