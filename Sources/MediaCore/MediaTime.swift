/// A point on a media clock or a duration: `value` ticks of `timescale`.
///
/// Arithmetic saturates instead of trapping, because values come from peers and files.
package struct MediaTime: Sendable, Hashable, CustomStringConvertible {
    /// The number of ticks.
    package var value: Int64
    /// The clock that ticks.
    package var timescale: Timescale

    package init(value: Int64, timescale: Timescale) {
        self.value = value
        self.timescale = timescale
    }

    /// The zero of a clock.
    package static func zero(_ timescale: Timescale) -> MediaTime { MediaTime(value: 0, timescale: timescale) }

    /// Creates a time rounded to the nearest tick, halves away from zero. Meant for Antena's own values, such as
    /// configuration.
    package init(seconds: Double, timescale: Timescale) {
        let ticks = (seconds * Double(timescale.ticksPerSecond)).rounded()
        self.init(value: Int64(exactly: ticks) ?? (ticks > 0 ? .max : ticks < 0 ? .min : 0), timescale: timescale)
    }

    /// The time in seconds, for rendering and display. Inside the pipeline, time is never a `Double`.
    package var seconds: Double { Double(value) / Double(timescale.ticksPerSecond) }

    /// The same time on another clock, rounded to the nearest tick (halves away from zero) and saturating.
    package func converted(to other: Timescale) -> MediaTime {
        guard other != timescale else { return self }
        let divisor = Int128(timescale.ticksPerSecond)
        let scaled = Int128(value) * Int128(other.ticksPerSecond)
        let half = divisor / 2
        let rounded = (scaled >= 0 ? scaled + half : scaled - half) / divisor
        return MediaTime(value: Int64(clamping: rounded), timescale: other)
    }

    /// The sum, on the left operand's clock.
    package static func + (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
        let addend = rhs.converted(to: lhs.timescale).value
        return MediaTime(value: lhs.value.addingSaturating(addend), timescale: lhs.timescale)
    }

    /// The difference, on the left operand's clock.
    package static func - (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
        let subtrahend = rhs.converted(to: lhs.timescale).value
        return MediaTime(value: lhs.value.subtractingSaturating(subtrahend), timescale: lhs.timescale)
    }

    package var description: String { "\(value)/\(timescale.ticksPerSecond)" }
}

extension MediaTime: Comparable {
    /// Compares exactly, whatever the two timescales are.
    package static func < (lhs: MediaTime, rhs: MediaTime) -> Bool {
        Int128(lhs.value) * Int128(rhs.timescale.ticksPerSecond) < Int128(rhs.value)
            * Int128(lhs.timescale.ticksPerSecond)
    }

    /// Whether two times are equal, even on different clocks: 1/1 equals 90000/90000.
    package static func == (lhs: MediaTime, rhs: MediaTime) -> Bool {
        Int128(lhs.value) * Int128(rhs.timescale.ticksPerSecond) == Int128(rhs.value)
            * Int128(lhs.timescale.ticksPerSecond)
    }

    package func hash(into hasher: inout Hasher) {
        // Equal times must hash alike, so the reduced fraction is hashed.
        let divisor = Self.greatestCommonDivisor(value.magnitude, UInt64(timescale.ticksPerSecond))
        hasher.combine(value / Int64(divisor))
        hasher.combine(UInt64(timescale.ticksPerSecond) / divisor)
    }

    private static func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var (larger, smaller) = (first, second)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        // The timescale is never zero, so neither is the result; it divides a UInt32, so it fits an Int64.
        return larger
    }
}

extension Int64 {
    /// The sum, or the nearest representable value.
    @inlinable package func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// The difference, or the nearest representable value.
    @inlinable package func subtractingSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
