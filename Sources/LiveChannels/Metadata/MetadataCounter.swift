import MediaCore

/// Counts and numbers a channel's announcements.
struct MetadataCounter: Sendable {
    /// Limit on announcements within ``rateMilliseconds``. A programme does not need more; a script out of control
    /// exceeds it.
    static let maximumRate = 20
    static let rateMilliseconds: Int64 = 10_000

    /// The number of the newest announcement.
    private var number: UInt32 = 0
    /// Times of recent announcements in milliseconds since 1970, oldest first.
    private var recent: [Int64] = []

    /// Returns whether another announcement is allowed now.
    mutating func mayAdmit(now: Int64) -> Bool {
        recent.removeAll { !(0..<Self.rateMilliseconds).contains(now.subtractingSaturating($0)) }
        return recent.count < Self.maximumRate
    }

    /// A number larger than any before. It follows the clock in tenths of a second, which advances faster than
    /// announcements are allowed: a player that has seen an announcement must not mistake one of a restarted server for
    /// the same.
    func nextNumber(now: Int64) -> UInt32 { max(number &+ 1, UInt32(truncatingIfNeeded: now / 100)) }

    mutating func admit(_ number: UInt32, now: Int64) {
        self.number = number
        recent.append(now)
    }
}
