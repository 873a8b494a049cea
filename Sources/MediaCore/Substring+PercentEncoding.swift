extension Substring {
    /// The percent-decoded text (RFC 3986 §2.1); `nil` for a malformed escape or invalid UTF-8.
    package var removingPercentEncoding: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = self.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
