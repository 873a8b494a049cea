package import CLibAV

extension AVRational {
    /// This fraction, or `nil` unless both parts are positive.
    package var positive: AVRational? { num > 0 && den > 0 ? self : nil }
    /// The fraction with its parts exchanged.
    package var inverse: AVRational { AVRational(num: den, den: num) }
    /// The fraction as a floating-point number, for reports and comparisons, never for timestamps.
    package var value: Double { Double(num) / Double(den) }
}

/// Converts `value` from ticks of `source` to ticks of `target`, rounded to nearest.
package func rescale(_ value: Int64, from source: AVRational, to target: AVRational) -> Int64 {
    libav.av_rescale_q(value, source, target)
}

/// libav's own time base, used for AVFormatContext's `duration` and `start_time`.
package let microseconds = AVRational(num: 1, den: 1_000_000)

extension Int64 {
    /// Returns `nil` for AV_NOPTS_VALUE and for magnitudes of 2^60 and more: such values come from damaged files and
    /// would overflow sums.
    package init?(timestamp: Int64) {
        guard timestamp != antena_av_nopts(), timestamp.magnitude < 1 << 60 else { return nil }
        self = timestamp
    }
}
