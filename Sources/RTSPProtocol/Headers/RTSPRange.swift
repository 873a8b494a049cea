package import NIOCore

/// A `Range` header in normal play time (RFC 2326 §3.6, §12.29). Times are from the presentation's beginning.
package struct RTSPRange: Hashable, Sendable {
    package enum Start: Hashable, Sendable {
        case at(TimeAmount)
        /// The live edge.
        case now
    }

    /// `nil` where only the end is named: where the presentation stands, or from its beginning.
    package var start: Start?
    /// `nil` is open.
    package var end: TimeAmount?

    package init(start: Start?, end: TimeAmount? = nil) {
        self.start = start
        self.end = end
    }

    package enum ParsingError: Error, Hashable, Sendable {
        /// `smpte`, `clock` or none that there is: 501 (§12.29).
        case unknownUnit
        /// 457.
        case malformed
    }

    /// `npt=10-`, `npt=now-`, `npt=00:01:02.5-00:02:00`, `npt=-30`. A `time` parameter is ignored: nothing here starts
    /// later than at once.
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

    /// Seconds with a fraction, or hours, minutes and seconds.
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
        // Finer than a nanosecond is cut off.
        let fraction = parts.count == 2 ? parts[1].prefix(9) : ""
        guard let value = fraction.isEmpty ? 0 : Int64(digits: fraction), seconds <= maximumSeconds else {
            throw .malformed
        }
        let scale = (fraction.utf8.count..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
        return .nanoseconds(seconds * 1_000_000_000 + value * scale)
    }

    /// Some 31 years: more than any presentation has, and far from what 64 bits of nanoseconds hold.
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

    /// Seconds (§3.6) to the millisecond, which is what clients show.
    package static func normalPlayTime(_ time: TimeAmount) -> String {
        let milliseconds = max(0, time.nanoseconds) / 1_000_000
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
