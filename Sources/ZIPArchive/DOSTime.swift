import MediaCore

/// A date and a time as MS-DOS writes them, in UTC, from 1980 to 2107.
struct DOSTime: Sendable, Hashable {
    /// Hour, minute, and half of the second.
    let time: UInt16
    /// Years since 1980, month and day.
    let date: UInt16

    private static let (first, last): (Int64, Int64) = (315_532_800, 4_354_819_198)

    init(_ time: WallClockTime) {
        let seconds = min(max(time.millisecondsSince1970 / 1_000, Self.first), Self.last)
        let (day, second) = (Int(seconds / 86_400), Int(seconds % 86_400))
        self.time = UInt16((second / 3_600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
        let (year, month, dayOfMonth) = Self.date(ofDay: day)
        date = UInt16((year - 1_980) << 9 | month << 5 | dayOfMonth)
    }

    /// The date of a day since 1970, in the Gregorian calendar. Years begin with March here, so that leap days are last.
    private static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
