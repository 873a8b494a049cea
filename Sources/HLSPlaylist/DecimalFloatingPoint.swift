/// A decimal-floating-point attribute value (rfc8216bis §4.2), written with six decimals, which is finer than any
/// media clock here, and never with an exponent.
struct DecimalFloatingPoint {
    let microUnits: Int64

    /// Creates an unsigned value: negative numbers and NaN become zero.
    init(_ value: Double) {
        microUnits = value > 0 ? Self.rounded(value) : 0
    }

    /// Creates a signed-decimal-floating-point value.
    init(signed value: Double) { microUnits = Self.rounded(value) }

    private static func rounded(_ value: Double) -> Int64 {
        guard value.isFinite else { return 0 }
        return Int64(exactly: (value * 1_000_000).rounded()) ?? (value < 0 ? -.max : .max)
    }
}
