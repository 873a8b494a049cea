import NIOCore

/// The phases of a broadcast, from opening its source to its end: when it connects, retries and gives up. It is pure:
/// events come in with their time, and return what the session must do.
struct BroadcastStateMachine {
    private enum Phase {
        /// Until the source has announced the formats of all its tracks.
        case opening
        case connecting
        case live(since: NIODeadline)
        /// Until the next attempt to connect.
        case waiting
        /// Until the server has answered TEARDOWN; `liveSince` is `nil` if it had not accepted media.
        case stopping(liveSince: NIODeadline?)
        case ended
    }

    enum ConnectAction: Equatable {
        case none
        case connect
    }

    enum DisconnectAction: Equatable {
        case none
        case finish
        case fail(BroadcastError)
        /// Call ``retryDue()`` after the delay.
        ///
        /// - Parameter isNews: false if the same problem has been reported already.
        case retry(after: Duration, isNews: Bool)
    }

    enum StopAction: Equatable {
        case none
        /// End the session with the server; then comes ``disconnected(_:isTemporary:using:)``.
        case tearDown
        case finish
    }

    /// Time for which a connection must have lasted, so that the next one is not delayed.
    static let lastingTime = Duration.seconds(10)

    private let waitsForServer: Bool
    private var phase = Phase.opening
    private var delay = ReconnectDelay()
    /// The number of connections on which the server accepted media.
    private(set) var connectionCount = 0
    /// The reason why the broadcast is not live; `nil` if there is none.
    private(set) var problem: String?

    /// - Parameter waitsForServer: true to retry if the first attempt fails, too.
    init(waitsForServer: Bool) { self.waitsForServer = waitsForServer }

    var state: BroadcastStatus.State {
        switch phase {
        case .opening: .opening
        case .connecting, .stopping(liveSince: nil): .connecting
        case .live, .stopping: .live
        case .waiting: .waiting
        case .ended: .ended
        }
    }

    /// The time since which the server has accepted media; `nil` while it does not.
    var liveSince: NIODeadline? {
        switch phase {
        case .live(let since): since
        case .stopping(let since): since
        case .opening, .connecting, .waiting, .ended: nil
        }
    }

    /// True until the source has announced the formats of all its tracks.
    var isOpening: Bool { if case .opening = phase { true } else { false } }

    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    // MARK: Connecting

    /// Handles the formats of all tracks.
    mutating func sourceAnnounced() -> ConnectAction {
        guard case .opening = phase else { return .none }
        phase = .connecting
        return .connect
    }

    /// Handles a change of formats that the server has been told; the connection must be replaced.
    mutating func formatsChanged() -> ConnectAction {
        switch phase {
        case .connecting, .live:
            phase = .connecting
            return .connect
        case .opening, .waiting, .stopping, .ended: return .none
        }
    }

    /// Handles the end of a delay.
    mutating func retryDue() -> ConnectAction {
        guard case .waiting = phase else { return .none }
        phase = .connecting
        return .connect
    }

    /// Handles that the server accepts media.
    ///
    /// - Returns: whether it did before.
    mutating func recording(now: NIODeadline) -> Bool {
        guard case .connecting = phase else { return false }
        phase = .live(since: now)
        problem = nil
        connectionCount += 1
        return connectionCount > 1
    }

    /// Handles the end of a connection.
    ///
    /// - Parameters:
    ///   - error: `nil` after an orderly end.
    ///   - isTemporary: whether a retry may succeed.
    mutating func disconnected(
        _ error: BroadcastError?, isTemporary: Bool, using generator: inout some RandomNumberGenerator
    ) -> DisconnectAction {
        switch phase {
        case .opening, .waiting, .ended: return .none
        case .stopping:
            phase = .ended
            return .finish
        case .connecting, .live: break
        }
        let error = error ?? BroadcastError(.connectionLost, "the server has ended the session")
        // Errors that a user must fix first are reported at once; a connection that has worked before is worth waiting
        // for.
        guard connectionCount > 0 || waitsForServer && isTemporary else {
            phase = .ended
            return .fail(error)
        }
        phase = .waiting
        let isNews = problem != error.reason
        problem = error.reason
        return .retry(after: delay.next(using: &generator), isNews: isNews)
    }

    /// Forgets earlier failures when the connection has lasted.
    mutating func secondPassed(now: NIODeadline) {
        if let liveSince, now - liveSince > TimeAmount(Self.lastingTime) { delay.reset() }
    }

    // MARK: The end

    /// Ends the broadcast in an orderly way.
    mutating func stop() -> StopAction {
        switch phase {
        case .stopping, .ended: return .none
        case .connecting, .live:
            phase = .stopping(liveSince: liveSince)
            return .tearDown
        case .opening, .waiting:
            phase = .ended
            return .finish
        }
    }

    /// Ends the broadcast with an error.
    ///
    /// - Returns: false if it has ended before.
    mutating func fail() -> Bool {
        if hasEnded { return false }
        phase = .ended
        return true
    }
}
