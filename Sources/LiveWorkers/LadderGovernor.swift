import NIOCore

/// Decides how many qualities of a ladder a machine has the time for.
///
/// The most expensive one goes first, and comes back after a time in which the others were on time. One that has to go
/// again soon stays away for longer.
struct LadderGovernor {
    /// The delay of a picture from which on the worker does not keep up.
    static let maximumDelay = TimeAmount.milliseconds(250)
    /// The delay up to which there is room for more.
    static let comfortableDelay = TimeAmount.milliseconds(100)
    /// The number of checks in a row that have to be late, so that one hiccup costs nothing.
    static let lateCheckCount = 2
    /// The time that the machine gets to recover before the next one goes.
    static let settlingTime = TimeAmount.seconds(3)
    /// The time of headroom after which one comes back.
    static let shortestPatience = TimeAmount.seconds(30)
    static let longestPatience = TimeAmount.minutes(10)
    /// One that has to go within this time after its return stays away for twice as long.
    static let trialTime = TimeAmount.minutes(1)
    /// Running time of all of them after which the patience is the shortest again.
    static let trustTime = TimeAmount.minutes(5)

    private let rungCount: Int
    /// The number of qualities that are left out, from the most expensive one on.
    private(set) var droppedCount = 0
    private(set) var patience = Self.shortestPatience
    private var lateCount = 0
    private var changedAt: NIODeadline?
    private var returnedAt: NIODeadline?
    private var calmSince: NIODeadline?

    init(rungCount: Int) { self.rungCount = rungCount }

    /// Takes a measurement, once a second.
    ///
    /// - Parameters:
    ///   - delay: the longest time that a picture has waited since the last one.
    ///   - now: the present.
    /// - Returns: whether ``droppedCount`` has changed.
    mutating func note(delay: TimeAmount, now: NIODeadline) -> Bool {
        if delay > Self.maximumDelay {
            calmSince = nil
            lateCount += 1
            let isSettled = changedAt.map { now - $0 >= Self.settlingTime } ?? true
            guard lateCount >= Self.lateCheckCount, isSettled, droppedCount < rungCount else { return false }
            if let returnedAt, now - returnedAt < Self.trialTime {
                patience = min(.nanoseconds(patience.nanoseconds * 2), Self.longestPatience)
            }
            droppedCount += 1
            (lateCount, changedAt) = (0, now)
            return true
        }
        lateCount = 0
        guard delay <= Self.comfortableDelay else {
            calmSince = nil
            return false
        }
        guard droppedCount > 0 else {
            if let returnedAt, now - returnedAt >= Self.trustTime { patience = Self.shortestPatience }
            return false
        }
        let since = calmSince ?? now
        calmSince = since
        guard now - since >= patience else { return false }
        droppedCount -= 1
        (calmSince, changedAt, returnedAt) = (nil, now, now)
        return true
    }
}
