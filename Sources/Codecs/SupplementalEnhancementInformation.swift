package import MediaCore

/// Inspects SEI NAL units, whose messages have the same syntax in H.264 (ITU-T H.264 §7.3.2.3) and HEVC.
package enum SupplementalEnhancementInformation {
    static let recoveryPoint = 6
    /// Limit on the bytes that are inspected. Recovery points are among the first messages, while user data may have
    /// any length.
    static let maximumInspectedByteCount = 256

    /// Whether one of the messages in the unit is a recovery point.
    package static func hasRecoveryPoint(_ unit: FragmentedNALUnit, headerByteCount: Int) -> Bool {
        var position = 0
        while let (type, afterType) = number(unit, at: position, headerByteCount),
            let (size, afterSize) = number(unit, at: afterType, headerByteCount)
        {
            if type == recoveryPoint { return true }
            position = afterSize + size
            guard position < maximumInspectedByteCount else { return false }
        }
        return false
    }

    /// Reads a number: bytes of 255, then one below. Emulation prevention (three bytes for two zeros) cannot occur in
    /// the numbers of the messages in question; if it shifts the position in an earlier message, nothing is found.
    private static func number(
        _ unit: FragmentedNALUnit, at start: Int, _ headerByteCount: Int
    ) -> (value: Int, end: Int)? {
        var (value, position) = (0, start)
        while let byte = unit.payloadByte(at: position, headerByteCount: headerByteCount),
            position < maximumInspectedByteCount
        {
            position += 1
            value += Int(byte)
            if byte < 255 { return (value, position) }
        }
        return nil
    }
}
