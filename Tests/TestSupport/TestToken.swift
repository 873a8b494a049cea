import Crypto
import Foundation

/// JSON Web Tokens of another system, signed with a secret (RFC 7519, HS256).
package enum TestToken {
    /// - Parameters:
    ///   - claims: the claims, in JSON.
    ///   - secret: the secret that both systems know.
    package static func signed(_ claims: String, with secret: [UInt8]) -> String {
        let signed = "\(text(#"{"alg":"HS256"}"#.utf8)).\(text(claims.utf8))"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: .init(data: secret))
        return "\(signed).\(text(code))"
    }

    /// Base64url without padding.
    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
