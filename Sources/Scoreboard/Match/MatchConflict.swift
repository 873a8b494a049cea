/// An action cannot be carried out.
package struct MatchConflict: Error, Sendable, Hashable {
    /// The reasons.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        case hasStarted, notStarted, isOver, gameIsOver, gameIsNotOver
        case noPointsToTakeBack, noTimeOutsLeft, noAppealsLeft, timeOutRuns, noTimeOutRuns
        case implausibleScore, nobodyServes, hasNoClock, unknownEvent
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    /// A sentence for the person who acted.
    package var text: String {
        switch reason {
        case .hasStarted: "the match has already begun"
        case .notStarted: "the match has not begun yet"
        case .isOver: "the match is over"
        case .gameIsOver: "the game is over; begin the next one"
        case .gameIsNotOver: "the game is not over yet"
        case .noPointsToTakeBack: "the side has no points to take back"
        case .noTimeOutsLeft: "the side has no time-outs left"
        case .noAppealsLeft: "the side has no appeals left"
        case .timeOutRuns: "a time-out is running"
        case .noTimeOutRuns: "no time-out is running"
        case .implausibleScore: "the rules do not allow this score"
        case .nobodyServes: "there is no such server in this match"
        case .hasNoClock: "the match has no clock"
        case .unknownEvent: "there is no such event to change"
        }
    }
}
