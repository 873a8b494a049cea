import NIOCore

/// The phases of a connection around its RTSP session: whether anything is read, when reports are due, and when the
/// connection is closed. It is pure; the handler carries out what the events return.
struct ConnectionLifecycle {
    private enum Phase {
        case open
        /// Open, and something is recorded from the connection.
        case recording(nextReport: NIODeadline)
        /// The final response was sent. The connection stays open for the peer to read it, but nothing more is read.
        case lingering(until: NIODeadline)
        case closed
    }

    /// The action of the handler when its timer fires.
    enum TimerAction: Equatable {
        /// Pass the time on to the session's state machine, then ask ``takeDueReport(now:)``.
        case checkSession
        case closeChannel
        case none
    }

    /// The parts that ended with the connection.
    struct Ending: Equatable {
        var wasRecording: Bool
    }

    private var phase = Phase.open
    /// Whether a read was requested while reading was suspended.
    private var isReadHeld = false
    private let reportInterval: TimeAmount
    private let lingerTime: TimeAmount

    init(limits: RTSPServerLimits) {
        reportInterval = TimeAmount(limits.receiverReportInterval)
        lingerTime = TimeAmount(limits.lingerTime)
    }

    var isOpen: Bool {
        switch phase {
        case .open, .recording: true
        case .lingering, .closed: false
        }
    }

    // MARK: Recording

    mutating func recordingStarted(now: NIODeadline) {
        if case .open = phase { phase = .recording(nextReport: now + reportInterval) }
    }

    /// - Returns: whether something was recorded.
    mutating func recordingEnded() -> Bool {
        guard case .recording = phase else { return false }
        phase = .open
        return true
    }

    // MARK: Reading

    /// Decides on a read that was requested; a refused one is held until ``takeHeldRead(canTakeMore:)``.
    ///
    /// - Parameter canTakeMore: whether requests can be handled, and their responses be written. Once nothing is parsed
    ///   any more, it does not matter.
    mutating func mayRead(canTakeMore: Bool) -> Bool {
        if canTakeMore || !isOpen { return true }
        isReadHeld = true
        return false
    }

    /// - Returns: whether a held read must be made now.
    mutating func takeHeldRead(canTakeMore: Bool) -> Bool {
        guard isReadHeld, canTakeMore || !isOpen else { return false }
        isReadHeld = false
        return true
    }

    // MARK: Ends

    /// Ends the connection.
    ///
    /// - Returns: what ended with it; `nil` if it had ended before.
    mutating func close() -> Ending? {
        guard isOpen else { return nil }
        let wasRecording = recordingEnded()
        phase = .closed
        return Ending(wasRecording: wasRecording)
    }

    /// Keeps the channel open for a while after ``close()``, because closing it with unread bytes would cause a reset,
    /// and the peer might not receive the final response.
    mutating func linger(now: NIODeadline) {
        if case .closed = phase { phase = .lingering(until: now + lingerTime) }
    }

    // MARK: Time

    /// Time at which ``timerFired(now:)`` is due; `nil` for never.
    ///
    /// - Parameter session: the deadline of the session's state machine.
    func deadline(session: NIODeadline?) -> NIODeadline? {
        switch phase {
        case .open: session
        case .recording(let nextReport): session.map { min($0, nextReport) } ?? nextReport
        case .lingering(let until): until
        case .closed: nil
        }
    }

    /// Handles the timer, which may fire early, because a single one serves all deadlines.
    mutating func timerFired(now: NIODeadline) -> TimerAction {
        switch phase {
        case .open, .recording: return .checkSession
        case .lingering(let until) where until <= now:
            phase = .closed
            return .closeChannel
        case .lingering, .closed: return .none
        }
    }

    /// - Returns: whether reports must be sent now; the next ones are due after an interval.
    mutating func takeDueReport(now: NIODeadline) -> Bool {
        guard case .recording(let nextReport) = phase, nextReport <= now else { return false }
        phase = .recording(nextReport: now + reportInterval)
        return true
    }
}
