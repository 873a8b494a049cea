extension FixedWidthInteger {
    /// A number of decimal digits only (`1*DIGIT`): to Swift `+5` is a number, too, but not to RFC 2326.
    ///
    /// `nil` for anything else, and for a number that is too large.
    init?(digits: some StringProtocol) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(String(digits))
    }
}
