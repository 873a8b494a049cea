/// A time in UTC with milliseconds: a day of the Gregorian calendar and a time of that day.
package struct CivilTime: Sendable, Hashable {
    package let date: CivilDate
    /// Milliseconds since the day began, less than a day's.
    @usableFromInline let timeOfDay: Int64

    @usableFromInline static let millisecondsPerDay: Int64 = 86_400_000

    /// - Parameter millisecondsSince1970: negative before 1970; any value fits.
    @inlinable package init(millisecondsSince1970: Int64) {
        let days = millisecondsSince1970.dividingFloor(by: Self.millisecondsPerDay)
        date = CivilDate(daysSince1970: days)
        // Wraps, because the first day that 64 bits reach begins before the smallest value.
        timeOfDay = millisecondsSince1970 &- days &* Self.millisecondsPerDay
    }

    /// 0 to 23.
    @inlinable package var hour: Int64 { timeOfDay / 3_600_000 }
    /// 0 to 59.
    @inlinable package var minute: Int64 { timeOfDay / 60_000 % 60 }
    /// 0 to 59.
    @inlinable package var second: Int64 { timeOfDay / 1_000 % 60 }
    /// 0 to 999.
    @inlinable package var millisecond: Int64 { timeOfDay % 1_000 }
}

extension CivilTime: CustomStringConvertible {
    /// The time as in RFC 3339, such as `2026-07-17T04:15:00.123Z`.
    package var description: String { "\(date)T\(clockText)Z" }

    /// The time of the day, such as `04:15:00.123`.
    package var clockText: String {
        func digits(_ number: Int64, _ count: Int) -> String { String(String(number + 1_000).suffix(count)) }
        return "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2)).\(digits(millisecond, 3))"
    }
}
