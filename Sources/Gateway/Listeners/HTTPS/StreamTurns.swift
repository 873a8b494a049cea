import DequeModule

/// Tracks which streams of one HTTP/2 connection have responses that the client has not received. Confined to the
/// connection's event loop.
///
/// Without it, a client could open a hundred streams, request a segment on each and receive none; each stream would
/// hold a segment.
final class StreamTurns {
    private var untakenCount = 0
    private var waiting: Deque<StreamTurnHandler> = []

    /// Number of unreceived responses at which no further request of the connection is started. Players fetch two or
    /// three segments at a time.
    static let maximumUntakenAnswers = 4

    var hasRoom: Bool { untakenCount < Self.maximumUntakenAnswers }

    func wait(_ handler: StreamTurnHandler) { waiting.append(handler) }

    func leave(_ handler: StreamTurnHandler) { waiting.removeAll { $0 === handler } }

    func count(_ change: Int) {
        untakenCount += change
        // Each resumed stream may use up the room again.
        while hasRoom, let next = waiting.popFirst() { next.goOn() }
    }
}
