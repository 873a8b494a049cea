extension Duration {
    /// The duration of media, rounded to microseconds.
    package init(_ time: MediaTime) { self = .microseconds(time.converted(to: .microseconds).value) }

    /// The whole milliseconds, rounded towards zero and saturating.
    @inlinable package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        return milliseconds.addingSaturating(attoseconds / 1_000_000_000_000_000)
    }

    /// The whole nanoseconds, rounded towards zero and saturating.
    @inlinable package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        return nanoseconds.addingSaturating(attoseconds / 1_000_000_000)
    }

    /// The duration without its sign.
    package var magnitude: Duration { self < .zero ? .zero - self : self }

    /// The duration in seconds, for comparison with playlists and for display.
    @inlinable package var seconds: Double { self / .seconds(1) }
}
