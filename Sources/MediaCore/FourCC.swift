/// A four-character code, as ISO BMFF names its boxes, brands and sample entries (ISO/IEC 14496-12 §4.2).
package struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let rawValue: UInt32

    /// - Parameter rawValue: the four characters, the first one in the upper 8 bits; any value is accepted, because
    ///   files contain any.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// - Parameter value: exactly four ASCII characters; only for literals in this source code, because anything else
    ///   traps.
    package init(stringLiteral value: StaticString) {
        precondition(value.utf8CodeUnitCount == 4 && value.isASCII, "a FourCC has four ASCII characters")
        rawValue = value.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Printable bytes unchanged, others as `\xHH`, so that garbage from a file is harmless in a log.
    package var description: String {
        stride(from: 24, through: 0, by: -8).map { shift -> String in
            let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(shift))
            if byte >= 0x20 && byte < 0x7F { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16)
            return "\\x" + (digits.count == 1 ? "0" + digits : digits)
        }.joined()
    }
}
