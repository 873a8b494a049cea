import Foundation

/// A username and a password at a mail server. Interpolated and dumped values show neither.
package struct SMTPCredential: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let username: String
    let password: String

    /// RFC 4616 §2 allows 255 characters; an app password of a provider has about 20.
    package static let maximumByteCount = 1_000

    /// - Returns: `nil` if a text is empty or too long, or has a control character, which no mechanism could carry.
    package init?(username: String, password: String) {
        for text in [username, password] {
            guard (1...Self.maximumByteCount).contains(text.utf8.count),
                !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
            else { return nil }
        }
        (self.username, self.password) = (username, password)
    }

    package var description: String { "SMTP credential" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// RFC 4616 §2, without an authorization identity.
    var plain: String { Data([0] + Array(username.utf8) + [0] + Array(password.utf8)).base64EncodedString() }
    /// The two answers of the mechanism LOGIN, which has no RFC.
    var loginUsername: String { Data(username.utf8).base64EncodedString() }
    var loginPassword: String { Data(password.utf8).base64EncodedString() }
}
