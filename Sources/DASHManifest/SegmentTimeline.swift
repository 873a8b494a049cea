import MediaCore

/// The start and duration of each segment, one after the other (ISO/IEC 23009-1:2022 §5.3.9.6).
package struct SegmentTimeline: Sendable, Hashable {
    /// Segments that follow each other and last as long.
    private struct Run: Hashable {
        var start: Int64
        var duration: Int64
        var count: Int

        var end: Int64 {
            let (length, overflow) = duration.multipliedReportingOverflow(by: Int64(count))
            return start.addingSaturating(overflow ? .max : length)
        }
    }

    private var runs: [Run] = []

    package init() {}

    /// Whether there is no segment.
    package var isEmpty: Bool { runs.isEmpty }
    /// The number of `S` elements.
    var elementCount: Int { runs.count }
    /// The start of the first segment; `nil` if there is none.
    package var start: Int64? { runs.first?.start }
    /// The end of the last segment; `nil` if there is none.
    package var end: Int64? { runs.last?.end }

    /// Adds the segment that follows.
    ///
    /// - Parameters:
    ///   - start: its start in ticks, which is not before that of the segment before. That one ends there if it would
    ///     otherwise last longer.
    ///   - duration: its duration in ticks.
    package mutating func append(start: Int64, duration: Int64) {
        let (start, duration) = (max(0, start), max(1, duration))
        guard let last = runs.last else { return runs.append(Run(start: start, duration: duration, count: 1)) }
        if start == last.end, duration == last.duration {
            runs[runs.count - 1].count += 1
            return
        }
        if start < last.end { shortenLast(until: start) }
        let begin = max(start, runs.last?.end ?? start)
        runs.append(Run(start: begin, duration: max(1, start.addingSaturating(duration) - begin), count: 1))
    }

    private mutating func shortenLast(until time: Int64) {
        guard var last = runs.popLast() else { return }
        if last.count > 1 {
            last.count -= 1
            runs.append(last)
            last = Run(start: last.end, duration: last.duration, count: 1)
        }
        last.duration = max(1, time - last.start)
        runs.append(last)
    }

    func write(into writer: inout XMLWriter) {
        writer.element("SegmentTimeline", []) { writer in
            var end: Int64?
            for run in runs {
                writer.element(
                    "S", (name: "t", value: run.start == end ? nil : run.start), (name: "d", value: run.duration),
                    (name: "r", value: run.count > 1 ? Int64(run.count - 1) : nil))
                end = run.end
            }
        }
    }
}
