import MediaCore

/// The times by which arrivals advance a track: many publishers send several audio frames in a packet.
///
/// All times are media times in nanoseconds.
struct ArrivalSpans: Sendable {
    /// Arrivals that are remembered.
    static let maximumCount = 8
    /// Arrivals in a row that have to advance the time alike.
    static let regularCount = 4
    /// Timestamps are rounded.
    static let tolerance: Int64 = 1_000_000
    /// The share of a span by which a time may be later than an arrival's last unit and still be taken for that unit's,
    /// because rounded timestamps add up.
    static let toleratedDivisor: Int64 = 8

    /// The time of the newest unit; `nil` before the first.
    private var newest: Int64?
    /// The newest spans, newest last.
    private var spans: [Int64] = []

    /// Notes an arrival whose last unit has a time.
    mutating func note(_ time: Int64) {
        if let newest {
            if spans.count == Self.maximumCount { spans.removeFirst() }
            spans.append(time.subtractingSaturating(newest))
        }
        newest = time
    }

    /// The earliest time of the last unit that arrives together with another one.
    ///
    /// - Parameter time: the time of a unit that has not arrived yet.
    func lastTime(with time: Int64) -> Int64 {
        guard let newest, let shortest = spans.min(), shortest > 0 else { return time }
        // If arrivals differ, the next one advances the time as little as any, and nothing is known of those after it.
        guard let span = regularSpan else { return max(time, newest.addingSaturating(shortest)) }
        let distance = time.subtractingSaturating(newest).subtractingSaturating(span / Self.toleratedDivisor)
        let (advance, overflow) = span.multipliedReportingOverflow(by: max(0, distance - 1) / span + 1)
        return overflow ? time : max(time, newest.addingSaturating(advance))
    }

    /// The mean of the newest spans; `nil` if they differ.
    private var regularSpan: Int64? {
        let newest = spans.suffix(Self.regularCount)
        guard newest.count == Self.regularCount, let shortest = newest.min(), let longest = newest.max(),
            shortest > Self.tolerance, longest.subtractingSaturating(shortest) <= Self.tolerance
        else { return nil }
        return shortest.addingSaturating(longest.subtractingSaturating(shortest) / 2)
    }
}
