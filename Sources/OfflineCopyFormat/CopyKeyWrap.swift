package import Crypto
import Foundation

/// The key of a copy, wrapped for one device with HPKE (RFC 9180, base mode): X25519, HKDF-SHA256, ChaCha20-Poly1305.
package struct CopyKeyWrap: Sendable, Hashable {
    package var encapsulatedKey: [UInt8]
    package var ciphertext: [UInt8]

    private static let ciphersuite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    /// Limit of either field in a file or an answer; 48 bytes are usual.
    package static let maximumByteCount = 256

    package init(encapsulatedKey: [UInt8], ciphertext: [UInt8]) {
        (self.encapsulatedKey, self.ciphertext) = (encapsulatedKey, ciphertext)
    }

    /// Wraps a key.
    ///
    /// - Parameters:
    ///   - key: the key of the copy.
    ///   - publicKey: the device's X25519 key, 32 bytes.
    ///   - copy: the ID of the copy, which is bound to the result, as is `device`.
    ///   - device: the ID of the device.
    /// - Throws: an error of Crypto if the public key cannot be one.
    package init(_ key: SymmetricKey, for publicKey: [UInt8], copy: String, device: String) throws {
        let recipient = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
        var sender = try HPKE.Sender(
            recipientKey: recipient, ciphersuite: Self.ciphersuite, info: Self.info(copy, device))
        ciphertext = Array(try sender.seal(key.withUnsafeBytes { Data($0) }))
        encapsulatedKey = Array(sender.encapsulatedKey)
    }

    /// Unwraps the key on the device.
    ///
    /// - Throws: an error of Crypto if it was wrapped for something else, or was changed.
    package func key(
        with privateKey: Curve25519.KeyAgreement.PrivateKey, copy: String, device: String
    ) throws -> SymmetricKey {
        var recipient = try HPKE.Recipient(
            privateKey: privateKey, ciphersuite: Self.ciphersuite, info: Self.info(copy, device),
            encapsulatedKey: Data(encapsulatedKey))
        return SymmetricKey(data: try recipient.open(Data(ciphertext)))
    }

    private static func info(_ copy: String, _ device: String) -> Data {
        Data("antena offline copy 1\n\(copy)\n\(device)".utf8)
    }
}
