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
        let second = seconds % 86_400
        self.time = UInt16((second / 3_600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
        let day = CivilDate(daysSince1970: seconds / 86_400)
        date = UInt16((day.year - 1_980) << 9 | day.month << 5 | day.day)
    }
}
