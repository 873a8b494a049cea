/// A time in a title, parsed from `83.5`, `1:23.5` or `1:02:03`.
package struct MediaTimestamp: Sendable, Hashable {
    /// Seconds from the start of the title.
    package let seconds: Double

    /// Limit of the text, enough for more than a day.
    private static let maximumByteCount = 16

    /// Returns `nil` if the text is not a time.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(fields.count) else { return nil }
        var total = 0.0
        for (index, field) in fields.enumerated() {
            let isLast = index == fields.count - 1
            let parts = field.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 1 || isLast && parts.count == 2,
                parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
                let value = Double(String(field)), index == 0 || value < 60
            else { return nil }
            total = total * 60 + value
        }
        seconds = total
    }
}
