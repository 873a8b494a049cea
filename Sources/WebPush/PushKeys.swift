import Crypto
import MediaCore

/// The keys of a browser that wants push messages, which it has made for this site.
package struct PushKeys: Sendable, Hashable {
    /// A point of P-256, uncompressed.
    package let publicKey: [UInt8]
    /// The secret that only the site and the browser know (RFC 8291 §3.2).
    package let authentication: [UInt8]

    package static let authenticationByteCount = 16

    /// - Throws: ``PushError`` if they cannot be such keys.
    package init(publicKey: [UInt8], authentication: [UInt8]) throws(PushError) {
        guard (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)) != nil else {
            throw PushError("the public key is not a point of P-256 in its uncompressed form")
        }
        guard authentication.count == Self.authenticationByteCount else {
            throw PushError("the authentication secret must have \(Self.authenticationByteCount) bytes")
        }
        (self.publicKey, self.authentication) = (publicKey, authentication)
    }

    /// The keys as a browser gives them, `p256dh` and `auth`.
    ///
    /// - Throws: ``PushError`` if they cannot be such keys.
    package init(p256dh publicKey: String, auth authentication: String) throws(PushError) {
        try self.init(
            publicKey: Base64URL.bytes(publicKey) ?? [], authentication: Base64URL.bytes(authentication) ?? [])
    }
}
