import MediaCore

/// Looks into an SEI NAL unit, whose messages H.264 (ITU-T H.264 §7.3.2.3) and HEVC have in the same form.
enum SupplementalEnhancementInformation {
    static let recoveryPoint = 6
    /// Recovery points stand among the first messages; a unit's user data may be as long as the sender likes.
    static let maximumInspectedByteCount = 256

    /// Whether one of the messages is a recovery point.
    static func hasRecoveryPoint(_ unit: FragmentedNALUnit, headerByteCount: Int) -> Bool {
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

    /// Bytes of 255, then one below. Emulation prevention (three bytes for two zeros) cannot occur in the numbers of
    /// messages that are looked for; where one in a message before moves the place, nothing is found.
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
