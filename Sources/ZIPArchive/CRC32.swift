/// The checksum of files in ZIP archives (ISO 3309, ITU-T V.42), made piece by piece.
package struct CRC32: Sendable, Hashable {
    /// The register; tests set it.
    var register = UInt32.max

    /// The checksum of nothing.
    package init() {}

    /// The checksum of all bytes so far.
    package var value: UInt32 { ~register }

    /// Eight bytes are looked up at once: table `n` tells what a byte does that `n` others follow.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map { index in
            var value = UInt32(index)
            for _ in 0..<8 { value = shifted(value) }
            return value
        }
        for position in 256..<8 * 256 {
            let before = tables[position - 256]
            tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()

    /// The register after a zero bit.
    static func shifted(_ register: UInt32) -> UInt32 {
        let half = register >> 1
        return register & 1 == 1 ? half ^ 0xEDB8_8320 : half
    }

    /// Adds bytes.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var value = register
        Self.tables.withUnsafeBufferPointer { tables in
            var position = 0
            while bytes.count - position >= 8 {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ value
                let high = UInt32(truncatingIfNeeded: word >> 32)
                value = tables[7 * 256 + Int(low & 0xFF)] ^ tables[6 * 256 + Int(low >> 8 & 0xFF)]
                value ^= tables[5 * 256 + Int(low >> 16 & 0xFF)] ^ tables[4 * 256 + Int(low >> 24)]
                value ^= tables[3 * 256 + Int(high & 0xFF)] ^ tables[2 * 256 + Int(high >> 8 & 0xFF)]
                value ^= tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                position += 8
            }
            while position < bytes.count {
                value = value >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: value) ^ bytes[position])]
                position += 1
            }
        }
        register = value
    }
}
