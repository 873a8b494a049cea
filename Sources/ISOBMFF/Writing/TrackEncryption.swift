package import MediaCore
import NIOCore

/// The encryption of a track's samples by the scheme `cbcs` (ISO/IEC 23001-7 §10.4): AES-128 in CBC mode with one
/// vector for all samples. It is part of the sample entry, so that a player knows it before the first sample.
package struct TrackEncryption: Sendable, Hashable {
    /// The identifier of the key (KID): 16 bytes.
    package var keyID: [UInt8]
    /// The vector with which each protected range begins: 16 bytes.
    package var vector: [UInt8]
    /// The blocks that are encrypted, in turn with those that are not.
    package var pattern: Pattern

    /// Which blocks of 16 bytes of a protected range are encrypted.
    package enum Pattern: Sendable, Hashable {
        /// One of ten, for video (§10.4.2).
        case oneOfTen
        /// All of them, for audio, whose whole samples are protected (§10.4.3).
        case all

        /// The numbers of encrypted blocks and of those after them that are not (`default_crypt_byte_block` and
        /// `default_skip_byte_block`).
        package var blockCounts: (encrypted: UInt8, skipped: UInt8) {
            switch self {
            case .oneOfTen: (1, 9)
            case .all: (0, 0)
            }
        }
    }

    /// Size of a key, a key's identifier, a vector and a block in bytes.
    package static let blockByteCount = 16
    /// The scheme in `schm`.
    package static let scheme: FourCC = "cbcs"

    package init(keyID: [UInt8], vector: [UInt8], pattern: Pattern) {
        (self.keyID, self.vector, self.pattern) = (keyID, vector, pattern)
    }

    /// Writes `sinf` (ISO/IEC 14496-12 §8.12.1) with `tenc` (ISO/IEC 23001-7 §8.2).
    ///
    /// - Parameters:
    ///   - format: the type of the sample entry without encryption.
    ///   - buffer: the buffer to append to.
    func write(format: FourCC, into buffer: inout ByteBuffer) {
        buffer.writeBox("sinf") { buffer in
            buffer.writeBox("frma") { $0.writeInteger(format.rawValue) }
            buffer.writeFullBox("schm") { $0.writeMultipleIntegers(Self.scheme.rawValue, UInt32(0x1_0000)) }
            buffer.writeBox("schi") { buffer in
                // Version 1 has the pattern.
                buffer.writeFullBox("tenc", version: 1) { buffer in
                    let counts = pattern.blockCounts
                    buffer.writeMultipleIntegers(UInt8(0), counts.encrypted << 4 | counts.skipped)
                    // Protected, and without vectors of single samples.
                    buffer.writeMultipleIntegers(UInt8(1), UInt8(0))
                    buffer.writeBytes(keyID)
                    buffer.writeInteger(UInt8(truncatingIfNeeded: vector.count))
                    buffer.writeBytes(vector)
                }
            }
        }
    }
}
