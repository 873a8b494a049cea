import MediaCore

/// The state of a competition or one of its days at a time. It follows from the dates and is stored nowhere.
package enum CompetitionState: String, Sendable, Hashable, CaseIterable {
    /// Cannot be entered yet.
    case closed
    /// Can be entered, and has not begun.
    case open
    case running
    case finished

    /// - Parameters:
    ///   - time: the time at which the state is wanted.
    ///   - opening: the competition can be entered from then on.
    ///   - start: the beginning of the competition or the day.
    ///   - end: the time after its last one.
    init(at time: WallClockTime, opening: WallClockTime, start: WallClockTime, end: WallClockTime) {
        // In this order, so that a day without length is never running.
        self = time >= end ? .finished : time >= start ? .running : time >= opening ? .open : .closed
    }
}
