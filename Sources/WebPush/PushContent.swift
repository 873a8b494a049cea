import Crypto

/// Encrypts what a push service passes on to a browser, so that the service cannot read it (RFC 8291, with the content
/// coding of RFC 8188).
package enum PushContent {
    /// Length limit of encrypted content: a push service takes 4,096 bytes with header, padding and tag (RFC 8291 §4).
    package static let maximumByteCount = 3_993
    /// The size of the one record.
    private static let recordSize: UInt32 = 4_096
    private static let saltByteCount = 16
    private static let keyByteCount = 16
    private static let nonceByteCount = 12

    /// Encrypts a text for one browser.
    ///
    /// - Parameters:
    ///   - content: at most ``maximumByteCount`` bytes.
    ///   - keys: the keys that the browser has made.
    /// - Returns: the body of the request, whose `Content-Encoding` is `aes128gcm`.
    /// - Throws: ``PushError`` if the content is too long; an error of the cryptography.
    package static func encrypted(_ content: [UInt8], for keys: PushKeys) throws -> [UInt8] {
        var salt = [UInt8](repeating: 0, count: saltByteCount)
        var generator = SystemRandomNumberGenerator()
        for index in salt.indices { salt[index] = UInt8.random(in: .min ... .max, using: &generator) }
        return try encrypted(content, for: keys, sender: P256.KeyAgreement.PrivateKey(), salt: salt)
    }

    /// Encrypts with a key pair and a salt that are used once.
    static func encrypted(
        _ content: [UInt8], for keys: PushKeys, sender: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws -> [UInt8] {
        guard content.count <= maximumByteCount else { throw PushError("the content of a push message is too long") }
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: keys.publicKey)
        let own = Array(sender.publicKey.x963Representation)
        // RFC 8291 §3.3 and §3.4
        let secret = try sender.sharedSecretFromKeyAgreement(with: receiver)
        let keyMaterial = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: keys.authentication,
            sharedInfo: Array("WebPush: info\0".utf8) + keys.publicKey + own, outputByteCount: 32)
        func derived(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: keyMaterial, salt: salt, info: Array("Content-Encoding: \(purpose)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try AES.GCM.Nonce(data: derived("nonce", nonceByteCount).withUnsafeBytes { Array($0) })
        // RFC 8188 §2: the delimiter of the last record.
        let box = try AES.GCM.seal(content + [2], using: derived("aes128gcm", keyByteCount), nonce: nonce)
        let size = withUnsafeBytes(of: recordSize.bigEndian) { Array($0) }
        return salt + size + [UInt8(own.count)] + own + Array(box.ciphertext) + Array(box.tag)
    }
}
