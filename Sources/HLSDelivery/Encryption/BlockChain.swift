import Crypto
import CryptoExtras
import Foundation
import NIOCore

/// Encrypts a resource in pieces with AES-128 in CBC mode (rfc8216bis §4.4.4.4). Each piece continues where the
/// previous one ended, and the last one is padded (RFC 5652 §6.3).
struct BlockChain: Sendable {
    private let key: SymmetricKey
    /// The last block of ciphertext so far, or the initialization vector.
    private var last: [UInt8]

    static let blockByteCount = 16
    /// Number of bytes encrypted per call of the library, which temporarily needs twice as much memory.
    private static let stepByteCount = 16 << 10

    init(key: TitleKey, vector: [UInt8]) {
        self.key = SymmetricKey(data: key.bytes)
        last = vector
    }

    /// The size of a resource after encryption, which always adds padding.
    static func sealedByteCount(_ byteCount: Int) -> Int { (byteCount / blockByteCount + 1) * blockByteCount }

    /// Encrypts a piece in place.
    ///
    /// - Parameters:
    ///   - piece: whole blocks, except for the last piece.
    ///   - isLast: true pads the piece.
    /// - Throws: errors of the cryptographic library, which do not occur with keys and vectors of the right length.
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
