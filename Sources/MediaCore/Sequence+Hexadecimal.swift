extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimalDigits: String {
        map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }
}

extension [UInt8] {
    /// The bytes of a text with two hexadecimal digits for each, in lower or upper case; `nil` for any other text.
    package init?(hexadecimalDigits text: some StringProtocol) {
        var digits: [UInt8] = []
        for character in text {
            guard character.isASCII, let digit = character.hexDigitValue else { return nil }
            digits.append(UInt8(digit))
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
