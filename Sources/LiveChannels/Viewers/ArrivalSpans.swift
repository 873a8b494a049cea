import MediaCore

/// By how much the arrivals of a track advance its time: many publishers send several audio frames in a packet.
///
/// All times are media times in nanoseconds.
struct ArrivalSpans: Sendable {
    /// Arrivals in a row that have to advance the time alike.
    static let count = 4
    /// Timestamps are rounded.
    static let tolerance: Int64 = 1_000_000
    /// The share of a span by which a time may lie behind an arrival's last unit and still be taken for that unit's, because
    /// rounded timestamps add up.
    static let toleratedDivisor: Int64 = 8

    /// The time of the newest unit; `nil` before the first.
    private(set) var newest: Int64?
    /// Newest last.
    private var spans: [Int64] = []

    /// Notes an arrival whose last unit has a time.
    mutating func note(_ time: Int64) {
        if let newest {
            if spans.count == Self.count { spans.removeFirst() }
            spans.append(time.subtractingSaturating(newest))
        }
        newest = time
    }

    /// The time of the last unit that arrives together with the one of a time; that time, if the arrivals differ.
    func lastTime(with time: Int64) -> Int64 {
        guard let newest, let span = regularSpan else { return time }
        let distance = time.subtractingSaturating(newest).subtractingSaturating(span / Self.toleratedDivisor)
        guard distance > 0 else { return time }
        let (advance, overflow) = span.multipliedReportingOverflow(by: (distance - 1) / span + 1)
        return overflow ? time : max(time, newest.addingSaturating(advance))
    }

    /// The mean of the newest; `nil` if they differ.
    private var regularSpan: Int64? {
        guard spans.count == Self.count, let shortest = spans.min(), let longest = spans.max(),
            shortest > Self.tolerance, longest.subtractingSaturating(shortest) <= Self.tolerance
        else { return nil }
        return shortest.addingSaturating(longest.subtractingSaturating(shortest) / 2)
    }
}
