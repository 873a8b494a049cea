import Crypto
import CryptoExtras
import Foundation
import NIOCore

/// Encrypts a resource piece by piece with AES-128 in CBC mode (bis §4.4.4.4): each piece goes on where the one before it
/// ended, and the last one is padded (RFC 5652 §6.3).
struct BlockChain: Sendable {
    private let key: SymmetricKey
    /// The last block of ciphertext so far, or the initialization vector.
    private var last: [UInt8]

    static let blockByteCount = 16
    /// Encrypted by one call, which needs twice as much memory for a moment.
    private static let stepByteCount = 16 << 10

    init(key: TitleKey, vector: [UInt8]) {
        self.key = SymmetricKey(data: key.bytes)
        last = vector
    }

    /// Size of a resource when it is encrypted: there is always some padding.
    static func sealedByteCount(_ byteCount: Int) -> Int { (byteCount / blockByteCount + 1) * blockByteCount }

    /// Encrypts a piece in place.
    ///
    /// - Parameters:
    ///   - piece: whole blocks, unless it is the last piece.
    ///   - isLast: pads the piece.
    /// - Throws: what the cryptographic library throws, which is nothing for keys and vectors of their right lengths.
    mutating func seal(_ piece: inout ByteBuffer, isLast: Bool) throws {
        if isLast {
            let padding = Self.blockByteCount - piece.readableBytes % Self.blockByteCount
            piece.writeRepeatingByte(UInt8(truncatingIfNeeded: padding), count: padding)
        }
        precondition(piece.readableBytes % Self.blockByteCount == 0, "only the last piece ends within a block")
        for start in stride(from: 0, to: piece.readableBytes, by: Self.stepByteCount) {
            let step = start..<min(start + Self.stepByteCount, piece.readableBytes)
            let sealed = try piece.withUnsafeReadableBytes { bytes in
                try AES._CBC.encrypt(
                    UnsafeRawBufferPointer(rebasing: bytes[step]), using: key, iv: AES._CBC.IV(ivBytes: last),
                    noPadding: true)
            }
            piece.setBytes(sealed, at: piece.readerIndex + start)
            last = Array(sealed.suffix(Self.blockByteCount))
        }
    }
}
