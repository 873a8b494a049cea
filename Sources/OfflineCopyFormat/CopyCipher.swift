package import Crypto
import CryptoExtras
import Foundation

/// The encryption of an offline copy: AES-256 in counter mode (NIST SP 800-38A §6.5) with a key that nothing else has.
///
/// Any range can be encrypted or decrypted by itself, so that a server needs no file of the encrypted bytes. The mode
/// says nothing about changed bytes: the digests of the chunks do.
package struct CopyCipher: Sendable {
    /// The counter starts at 0 and has 32 bits; a copy of 2³² blocks would use one twice.
    package static let maximumByteCount: Int64 = 64 << 30
    package static let keyByteCount = 32
    /// Ranges that begin at a multiple of it cost nothing extra.
    package static let blockByteCount: Int64 = 16

    private let key: SymmetricKey

    /// - Parameter key: 256 bits, used for one copy only.
    package init(key: SymmetricKey) { self.key = key }

    /// Encrypts or decrypts a range, which is the same in this mode.
    ///
    /// - Parameters:
    ///   - bytes: the range.
    ///   - offset: its position in the copy, not negative and below ``maximumByteCount``.
    /// - Throws: an error of Crypto if the key has a wrong size.
    package func apply(to bytes: [UInt8], at offset: Int64) throws -> [UInt8] {
        let block = UInt64(offset / Self.blockByteCount)
        let skippedByteCount = Int(offset % Self.blockByteCount)
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: block >> UInt64(56 - 8 * $0)) }
        let nonce = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 8) + counter)
        guard skippedByteCount > 0 else { return Array(try AES._CTR.encrypt(bytes, using: key, nonce: nonce)) }
        let padded = [UInt8](repeating: 0, count: skippedByteCount) + bytes
        return Array(try AES._CTR.encrypt(padded, using: key, nonce: nonce).dropFirst(skippedByteCount))
    }
}
