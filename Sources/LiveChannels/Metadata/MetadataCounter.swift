import MediaCore

/// Counts and numbers a channel's announcements.
struct MetadataCounter: Sendable {
    /// Limit on announcements within ``rateInterval``. A programme does not need more; a script out of control
    /// exceeds it.
    static let maximumRate = 20
    static let rateInterval = Duration.seconds(10)

    /// The number of the newest announcement.
    private var number: UInt32 = 0
    /// Times of recent announcements, oldest first.
    private var recent: [WallClockTime] = []

    /// Returns whether another announcement is allowed now.
    mutating func mayAdmit(now: WallClockTime) -> Bool {
        recent.removeAll { !(.zero..<Self.rateInterval).contains(now - $0) }
        return recent.count < Self.maximumRate
    }

    /// A number larger than any before. It follows the clock in tenths of a second, which advances faster than
    /// announcements are allowed: a player that has seen an announcement must not mistake one of a restarted server for
    /// the same.
    func nextNumber(now: WallClockTime) -> UInt32 {
        max(number &+ 1, UInt32(truncatingIfNeeded: now.millisecondsSince1970 / 100))
    }

    mutating func admit(_ number: UInt32, now: WallClockTime) {
        self.number = number
        recent.append(now)
    }
}
