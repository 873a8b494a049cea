extension FixedWidthInteger {
    /// Parses a number that consists of decimal digits only (`1*DIGIT`). Swift also accepts `+5`, but RFC 2326 does
    /// not.
    ///
    /// `nil` for anything else, and for a number that is too large.
    init?(digits: some StringProtocol) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(String(digits))
    }
}
