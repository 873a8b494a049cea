package import MediaCore

/// A span of a recording's timeline in which dates go with time.
package struct DatedSpan: Sendable, Hashable {
    /// The beginning on the recording's timeline.
    package var start: MediaTime
    /// The end on the recording's timeline, which the span does not contain.
    package var end: MediaTime
    /// The date of the beginning.
    package var date: WallClockTime

    package init(start: MediaTime, end: MediaTime, date: WallClockTime) {
        (self.start, self.end, self.date) = (start, end, date)
    }

    /// The date of the end.
    package var endDate: WallClockTime { date + (end - start) }

    /// The time at which a date was recorded, at the earliest the span's beginning and at the latest its end.
    package func time(of date: WallClockTime) -> MediaTime {
        let milliseconds = date.millisecondsSince1970.subtractingSaturating(self.date.millisecondsSince1970)
        return min(max(start, start + MediaTime(value: milliseconds, timescale: .milliseconds)), end)
    }
}
