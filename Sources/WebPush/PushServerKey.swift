package import Crypto
import Foundation
package import MediaCore

/// The key by which push services recognize this site (VAPID, RFC 8292).
package struct PushServerKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// How long a push service takes a token; RFC 8292 §2 allows a day.
    private static let validity = Duration.seconds(12 * 3_600)

    /// Derives the key from a secret of the server, always the same from the same secret.
    ///
    /// - Throws: ``PushError`` if no key can be derived, which does not happen by chance.
    package init(derivedFrom secret: SymmetricKey) throws(PushError) {
        // Of all texts of 32 bytes, about one in four billion is not a key of P-256.
        for attempt in UInt8(0)...3 {
            let bytes = HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: [attempt], outputByteCount: 32)
            if let key = bytes.withUnsafeBytes({ try? P256.Signing.PrivateKey(rawRepresentation: Array($0)) }) {
                self.key = key
                return
            }
        }
        throw PushError("no key for push messages can be derived from this secret")
    }

    /// The public key, which browsers ask for before they subscribe: a point of P-256 in base64url.
    package var publicText: String { Base64URL.text(Array(key.publicKey.x963Representation)) }

    /// The `Authorization` of a request to a push service (RFC 8292 §3).
    ///
    /// - Parameters:
    ///   - origin: the origin of the push service, such as `https://push.example.org`.
    ///   - contact: a `mailto:` or `https:` address of the site's operator.
    ///   - time: the time now.
    /// - Throws: an error of the cryptography.
    package func authorization(for origin: String, contact: String, at time: WallClockTime) throws -> String {
        let end = (time + Self.validity).secondsSince1970
        let claims = try JSONEncoder.sorted.encode(Claims(aud: origin, exp: end, sub: contact))
        let signed = "\(Base64URL.text(Array(#"{"alg":"ES256","typ":"JWT"}"#.utf8))).\(Base64URL.text(Array(claims)))"
        let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
        return "vapid t=\(signed).\(Base64URL.text(Array(signature))), k=\(publicText)"
    }

    private struct Claims: Encodable {
        var aud: String
        var exp: Int64
        var sub: String
    }
}

extension JSONEncoder {
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
