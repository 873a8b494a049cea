extension FixedWidthInteger {
    /// Parses decimal digits without sign or space; `nil` for any other text or if the number is too large.
    @inlinable package init?(digits: Substring) {
        guard !digits.utf8.isEmpty else { return nil }
        var value: Self = 0
        for byte in digits.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = shifted.addingReportingOverflow(Self(byte - 0x30))
            guard !isTooLarge, !overflow else { return nil }
            value = sum
        }
        self = value
    }
}
