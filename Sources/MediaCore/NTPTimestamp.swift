/// An NTP timestamp (RFC 3550 §4): seconds since 1900 in the upper half, their fraction in the lower.
package struct NTPTimestamp: Hashable, Sendable {
    /// Seconds since 1900 in the upper 32 bits, their fraction in the lower ones (RFC 5905 §6).
    package var rawValue: UInt64

    /// - Parameter rawValue: the 64 bits of a sender report.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let secondsFrom1900To1970: Int64 = 2_208_988_800

    /// Nanoseconds since 1970, rounded down. Valid for era 0, which ends in 2036.
    package var nanosecondsSince1970: Int64 {
        let seconds = Int64(rawValue >> 32) - Self.secondsFrom1900To1970
        let fraction = Int64(((rawValue & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
        return seconds * 1_000_000_000 + fraction
    }

    /// Creates a timestamp from nanoseconds since 1970, in NTP's era 0.
    package init(nanosecondsSince1970 nanoseconds: Int64) {
        let seconds = nanoseconds / 1_000_000_000 + Self.secondsFrom1900To1970
        let rest = UInt64(clamping: nanoseconds % 1_000_000_000)
        rawValue = UInt64(clamping: seconds) << 32 | ((rest << 32) / 1_000_000_000)
    }

    /// Creates the timestamp of a time, whose era is not part of it (RFC 5905 §6).
    package init(_ time: WallClockTime) {
        let seconds = time.millisecondsSince1970.dividingFloor(by: 1_000)
        let rest = time.millisecondsSince1970 % 1_000
        let milliseconds = UInt64(rest < 0 ? rest + 1_000 : rest)
        let era = UInt32(truncatingIfNeeded: seconds &+ Self.secondsFrom1900To1970)
        rawValue = UInt64(era) << 32 | (milliseconds << 32) / 1_000
    }

    /// The nearest millisecond, in the 68 years before or after the beginning of era 1 in 2036 (RFC 4330 §3).
    package var wallClockTime: WallClockTime {
        let milliseconds = ((rawValue & 0xFFFF_FFFF) * 1_000 + (1 << 31)) >> 32
        let isEraOne = rawValue >> 63 == 0
        let seconds = Int64(rawValue >> 32) + (isEraOne ? 1 << 32 : 0) - Self.secondsFrom1900To1970
        return WallClockTime(millisecondsSince1970: seconds * 1_000 + Int64(milliseconds))
    }

    /// The middle 32 bits, which report blocks echo.
    package var middle: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }
}
