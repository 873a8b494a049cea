import MediaCore

/// The texts of a board at one moment.
package struct BoardText: Sendable, Hashable {
    /// The rows, the upper one first.
    package var sides: [BoardPicture.Side]
    /// The lines below the rows.
    package var lines: [String]
    package var language: String

    /// Limit of the time that a clock shows: a hundred hours.
    static let maximumSeconds = 360_000

    /// A number of seconds as `1:02:03` or `2:03`.
    static func time(seconds: Int64) -> String {
        let whole = min(max(0, seconds), Int64(maximumSeconds))
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// Whole seconds of a remaining time, which is zero only once it is over.
    static func roundedUp(_ milliseconds: Int64) -> Int64 { (max(0, milliseconds).addingSaturating(999)) / 1_000 }
}
