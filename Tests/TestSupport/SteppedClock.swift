import Synchronization

/// A clock that stands still until a test moves it. A task that sleeps on it wakes when it has reached their time, so
/// that loops run as often as they would in the time that a test lets pass.
package final class SteppedClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    private struct State {
        var now = ContinuousClock.now
        var lastNumber: UInt64 = 0
        var sleepers: [UInt64: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        /// The sleepers that were cancelled before they slept.
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Moves the clock, and wakes those whose time has come.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Step { case wait, wake, cancel }
                let step = state.withLock { state -> Step in
                    if state.cancelled.remove(number) != nil { return .cancel }
                    if deadline <= state.now { return .wake }
                    state.sleepers[number] = (deadline, continuation)
                    return .wait
                }
                switch step {
                case .wait: break
                case .wake: continuation.resume()
                case .cancel: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
