import Accounts
import Synchronization

/// The members who are being sent push messages, and those whose push services were slow. The address of a push service
/// is the choice of a browser, or of somebody who pretends to be one.
final class PushReceivers: Sendable {
    private struct State {
        /// Since when something is being sent to a member.
        var running: [UserID: ContinuousClock.Instant] = [:]
        /// Until when a member counts as slow.
        var slow: [UserID: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    /// Members who are sent something at the same time.
    static let maximumCount = 32
    /// Limit of those among them whose push services were slow the last time.
    static let maximumSlowCount = 8
    /// Time after which a push service is slow; usual ones answer within a second.
    static let slowTime = Duration.seconds(3)
    /// Time for which that is remembered.
    static let memory = Duration.seconds(600)
    /// Limit of the members that are remembered; who does not fit is tried as if he were fast.
    static let maximumRememberedCount = 256

    /// The number of members who may be sent something now, beside those of the list.
    func room() -> (count: Int, excluded: [UserID]) {
        state.withLock { state in
            let now = ContinuousClock.now
            state.slow = state.slow.filter { $0.value > now }
            // A member who is being waited for counts as slow before it is over.
            let slowCount = state.running.count { state.slow[$0.key] != nil || now - $0.value > Self.slowTime }
            var excluded = Set(state.running.keys)
            if slowCount >= Self.maximumSlowCount { excluded.formUnion(state.slow.keys) }
            let fastCount = state.running.count - min(slowCount, Self.maximumSlowCount)
            return (max(0, Self.maximumCount - Self.maximumSlowCount - fastCount), Array(excluded))
        }
    }

    var isIdle: Bool { state.withLock(\.running.isEmpty) }

    func begin(_ receiver: UserID) { state.withLock { $0.running[receiver] = .now } }

    func end(_ receiver: UserID) {
        state.withLock { state in
            guard let begin = state.running.removeValue(forKey: receiver) else { return }
            let now = ContinuousClock.now
            if now - begin < Self.slowTime {
                state.slow[receiver] = nil
            } else if state.slow.count < Self.maximumRememberedCount {
                state.slow[receiver] = now + Self.memory
            }
        }
    }
}
