package import MediaCore

/// The dates at which a recording was made: the points of a track's timeline whose date is known, of which each one
/// counts up to the next.
package struct ProgramDates: Sendable, Hashable {
    /// Limit of the points that are kept. There is one for each push of a recording, and for each step of a publisher's
    /// clock.
    package static let maximumCount = 10_000
    /// Milliseconds by which a date may differ from the one that follows from the point before it.
    private static let tolerance: Int64 = 2

    private struct Point: Sendable, Hashable {
        var time: MediaTime
        var date: WallClockTime
    }

    private var points: [Point] = []

    package init() {}

    package var isEmpty: Bool { points.isEmpty }

    /// Notes the date of a time after all that were noted before; any other is left out.
    package mutating func note(_ date: WallClockTime, at time: MediaTime) {
        if let last = points.last {
            guard time > last.time, points.count < Self.maximumCount else { return }
            let expected = Self.date(at: time, after: last).millisecondsSince1970
            guard abs(expected.subtractingSaturating(date.millisecondsSince1970)) > Self.tolerance else { return }
        }
        points.append(Point(time: time, date: date))
    }

    /// The date of a time; `nil` if none is known.
    package func date(at time: MediaTime) -> WallClockTime? {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = low + (high - low) / 2
            if points[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        guard let first = points.first else { return nil }
        return Self.date(at: time, after: low > 0 ? points[low - 1] : first)
    }

    /// The spans of the timeline in which dates go with time, up to its end, in the order of time.
    package func spans(until end: MediaTime) -> [DatedSpan] {
        points.indices.compactMap { index in
            let (start, next) = (points[index].time, index + 1 < points.count ? points[index + 1].time : end)
            let spanEnd = min(next, end)
            return start < spanEnd ? DatedSpan(start: start, end: spanEnd, date: points[index].date) : nil
        }
    }

    private static func date(at time: MediaTime, after point: Point) -> WallClockTime {
        point.date + (time - point.time)
    }

    /// The same dates on a timeline that begins earlier or later.
    package func moved(by time: MediaTime) -> ProgramDates {
        var moved = self
        for index in points.indices { moved.points[index].time = points[index].time + time }
        return moved
    }
}
