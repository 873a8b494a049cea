import DequeModule

/// Decides which streams of one HTTP/2 connection are served now. Confined to the connection's event loop.
///
/// Without it, a client could open a hundred streams, request something on each and receive nothing; each stream would
/// hold an answer. A turn begins with the head of a request, because a hundred heads may arrive before the first answer
/// is made.
final class StreamTurns {
    private var untakenCount = 0
    private var unansweredCount = 0
    private var waiting: Deque<StreamTurnHandler> = []
    private var isGoingOn = false

    /// Number of unreceived responses at which no further request of the connection is started. Players fetch two or
    /// three segments at a time.
    static let maximumUntakenAnswers = 4
    /// Number of requests for the router that have no answer yet or an unreceived one, at which no further request for
    /// the router is started: more than the six connections that browsers open for HTTP/1.1. Requests for media do not
    /// count before their answer, because those that wait for the next part of a live channel wait for seconds.
    static let maximumRouterTurns = 8

    /// Whether a request may be started now.
    func hasRoom(isMedia: Bool) -> Bool {
        untakenCount < Self.maximumUntakenAnswers
            && (isMedia || unansweredCount + untakenCount < Self.maximumRouterTurns)
    }

    func wait(_ handler: StreamTurnHandler) { waiting.append(handler) }

    func leave(_ handler: StreamTurnHandler) { waiting.removeAll { $0 === handler } }

    /// Counts streams for the router that have no answer, and streams whose clients have an answer to take.
    func count(unanswered: Int = 0, untaken: Int = 0) {
        unansweredCount += unanswered
        untakenCount += untaken
        goOn()
    }

    /// Starts those that wait, in their order. Each may use up the room again.
    private func goOn() {
        guard !isGoingOn else { return }
        isGoingOn = true
        while let next = waiting.first, hasRoom(isMedia: next.isMedia) {
            waiting.removeFirst()
            next.goOn()
        }
        isGoingOn = false
    }
}
