/// An `Accept` header (RFC 2326 §12.1, RFC 2616 §14.1).
struct AcceptHeader {
    var value: String?

    /// Whether a session description is acceptable, which it is also if the header is missing or empty.
    var allowsSessionDescription: Bool {
        let ranges = (value ?? "").split(separator: ",").map(trimmingWhitespace).filter { !$0.isEmpty }
        return ranges.isEmpty || ranges.contains(where: Self.matches)
    }

    private static func matches(_ range: String) -> Bool {
        let fields = range.split(separator: ";").map { trimmingWhitespace($0).lowercased() }
        guard let type = fields.first, ["application/sdp", "application/*", "*/*", "*"].contains(type) else {
            return false
        }
        let quality = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
        return quality != 0
    }
}
