import Crypto
import MediaCore

/// The token that a form sends along with a change, so that other sites cannot make a browser send one. It follows from
/// the session's secret and cannot be turned back into it, so nothing is stored.
package enum CSRFToken {
    /// The token of a session, as it stands in a page.
    package static func text(for session: Secret) -> String {
        Base64URL.text(code(session))
    }

    /// Whether a token belongs to a session; compares in constant time.
    package static func isValid(_ text: String, for session: Secret) -> Bool {
        guard text.utf8.count == characterCount, let bytes = Base64URL.bytes(text) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(bytes, authenticating: purpose, using: key(session))
    }

    private static let purpose = Array("antena csrf".utf8)
    /// 32 bytes in base64 without padding.
    private static let characterCount = 43

    private static func key(_ session: Secret) -> SymmetricKey { SymmetricKey(data: Array(session.text.utf8)) }

    private static func code(_ session: Secret) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: purpose, using: key(session)))
    }
}
