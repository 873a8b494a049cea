package import NIOCore

/// A `Range` header in normal play time (RFC 2326 §3.6, §12.29). Times are relative to the beginning of the
/// presentation.
package struct RTSPRange: Hashable, Sendable {
    /// Start of a range.
    package enum Start: Hashable, Sendable {
        case at(TimeAmount)
        /// The live edge.
        case now
    }

    /// Start of the range; `nil` if only the end is given, which means the current position or the beginning.
    package var start: Start?
    /// End of the range; `nil` if it is open.
    package var end: TimeAmount?

    package init(start: Start?, end: TimeAmount? = nil) {
        self.start = start
        self.end = end
    }

    /// The reason why a header cannot be used.
    package enum ParsingError: Error, Hashable, Sendable {
        /// The unit is `smpte`, `clock` or unknown; the status is 501 (RFC 2326 §12.29).
        case unknownUnit
        /// The value is malformed; the status is 457.
        case malformed
    }

    /// Parses headers such as `npt=10-`, `npt=now-`, `npt=00:01:02.5-00:02:00` and `npt=-30`. A `time` parameter is
    /// ignored, because requests always take effect immediately.
    package init(parsing header: String) throws(ParsingError) {
        let specifier = trimmingWhitespace(header.split(separator: ";", maxSplits: 1).first ?? "")
        let parts = specifier.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, trimmingWhitespace(parts[0]).lowercased() == "npt" else { throw .unknownUnit }
        let bounds = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            .map(trimmingWhitespace)
        guard bounds.count <= 2, let first = bounds.first, !(bounds.joined().isEmpty) else { throw .malformed }
        if first.lowercased() == "now" {
            start = .now
        } else if !first.isEmpty {
            start = .at(try Self.time(first))
        }
        if bounds.count == 2, !bounds[1].isEmpty { end = try Self.time(bounds[1]) }
        if case .at(let begin) = start, let end, end < begin { throw .malformed }
    }

    /// Parses seconds with a fraction, or hours, minutes and seconds.
    private static func time(_ text: String) throws(ParsingError) -> TimeAmount {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 1 || fields.count == 3, let last = fields.last else { throw .malformed }
        let parts = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        var seconds: Int64 = 0
        for field in fields.dropLast() + parts.prefix(1) {
            guard let value = Int64(digits: field) else { throw .malformed }
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 60)
            let (sum, carry) = product.addingReportingOverflow(value)
            guard !overflow, !carry else { throw .malformed }
            seconds = sum
        }
        // Digits beyond nanoseconds are ignored.
        let fraction = parts.count == 2 ? parts[1].prefix(9) : ""
        guard let value = fraction.isEmpty ? 0 : Int64(digits: fraction), seconds <= maximumSeconds else {
            throw .malformed
        }
        let scale = (fraction.utf8.count..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
        return .nanoseconds(seconds * 1_000_000_000 + value * scale)
    }

    /// Upper bound in seconds, about 31 years: more than any presentation lasts, and far below the limit of 64-bit
    /// nanoseconds.
    private static let maximumSeconds: Int64 = 1_000_000_000

    package var rendered: String {
        let begin =
            switch start {
            case .at(let time): Self.normalPlayTime(time)
            case .now: "now"
            case nil: ""
            }
        return "npt=\(begin)-\(end.map(Self.normalPlayTime) ?? "")"
    }

    /// Formats a time in seconds with milliseconds (RFC 2326 §3.6), which is the precision that clients display.
    package static func normalPlayTime(_ time: TimeAmount) -> String {
        let milliseconds = max(0, time.nanoseconds) / 1_000_000
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
