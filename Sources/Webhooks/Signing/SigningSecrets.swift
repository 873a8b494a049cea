import MediaCore

/// The encrypted keys of a receiver.
struct SigningSecrets: Sendable, Hashable {
    var current: [UInt8]
    /// The key before the last rotation; `nil` if there was none.
    var previous: [UInt8]?
    /// The end of the time in which messages are signed with ``previous``, too.
    var previousEndsAt: WallClockTime?

    /// The keys that sign at a time, the current one first.
    func valid(at time: WallClockTime) -> [[UInt8]] {
        guard let previous, let previousEndsAt, time < previousEndsAt else { return [current] }
        return [current, previous]
    }
}
