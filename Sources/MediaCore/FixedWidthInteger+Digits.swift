extension FixedWidthInteger {
    /// Parses decimal digits without sign or space; `nil` for any other text or if the number is too large.
    package init?(digits: Substring) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(digits)
    }
}
