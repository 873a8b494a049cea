/// A telephone number as it is compared: its digits. A prefix of `00` is that of an international number.
enum PhoneKey {
    private static let digitCounts = 5...15

    /// - Returns: `nil` for a text that is not a telephone number.
    static func key(_ text: String) -> String? {
        guard text.utf8.count <= 40 else { return nil }
        var digits = text.filter { $0.isASCII && $0.isNumber }
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || " +-().".contains($0)) }) else { return nil }
        if digits.hasPrefix("00") { digits.removeFirst(2) }
        return digitCounts.contains(digits.count) ? digits : nil
    }
}
