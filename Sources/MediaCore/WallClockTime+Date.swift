package import Foundation

extension WallClockTime {
    /// The time of a date, rounded to the nearest millisecond.
    package init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        self.init(millisecondsSince1970: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }
}

extension Date {
    package init(_ time: WallClockTime) {
        self.init(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000)
    }
}
