/// The Reed-Solomon code of QR codes, over the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004 §7.5).
struct ReedSolomonCode: Sendable {
    /// The generator polynomial without its leading 1, highest power first.
    private let generator: [UInt8]

    init(checkCount: Int) {
        var polynomial: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<checkCount {
            // Multiplies by (x + root).
            var product = polynomial + [0]
            for index in polynomial.indices { product[index + 1] ^= Self.multiply(polynomial[index], root) }
            polynomial = product
            root = Self.multiply(root, 2)
        }
        generator = Array(polynomial.dropFirst())
    }

    /// The codewords of error correction: the remainder of the data after division by the generator.
    func check(_ data: ArraySlice<UInt8>) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder[0]
            remainder.removeFirst()
            remainder.append(0)
            for index in generator.indices { remainder[index] ^= Self.multiply(generator[index], factor) }
        }
        return remainder
    }

    private static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (product, shifted, rest) = (UInt8(0), left, right)
        while rest != 0 {
            if rest & 1 == 1 { product ^= shifted }
            shifted = shifted << 1 ^ (shifted & 0x80 == 0 ? 0 : 0x1D)
            rest >>= 1
        }
        return product
    }
}
