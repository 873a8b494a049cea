import Synchronization

/// Tells whether the time of day can be relied on for changes that cannot be undone: it has run evenly beside a clock
/// that nobody sets.
///
/// A machine whose clock is wrong for a minute (a battery, a virtual machine that was paused, a typing mistake) must
/// not end what its users have paid for. After a step, nothing is deleted or ended because of the time for an hour.
package final class ClockSteadiness: Sendable {
    /// A step of the time of day.
    package struct Step: Sendable, Equatable {
        /// The size; negative for a step back.
        package var amount: Duration
    }

    private struct State {
        var wallClockTime: WallClockTime
        var elapsed: Duration
        /// The end of the pause after the last step; `nil` if there was none.
        var pausedUntil: Duration?
    }

    /// Steps of at most this much are corrections as time services make them.
    package static let tolerance = Duration.seconds(120)
    /// The time after a step in which nothing is ended or deleted because of the time.
    package static let pause = Duration.seconds(3_600)
    /// The longest time for which a server is off without its clock being doubted at the next start.
    package static let longestAbsence = Duration.seconds(30 * 86_400)

    private let wallClock: WallClock
    private let elapsed: @Sendable () -> Duration
    private let onStep: @Sendable (Step) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - wallClock: tells the time of day.
    ///   - elapsed: a time that nobody sets, which goes on while the machine sleeps.
    ///   - lastSeen: the time of day when the server last ran; `nil` if that is not known.
    ///   - onStep: called with each step.
    package init(
        wallClock: WallClock, elapsed: @escaping @Sendable () -> Duration, lastSeen: WallClockTime? = nil,
        onStep: @escaping @Sendable (Step) -> Void
    ) {
        (self.wallClock, self.elapsed, self.onStep) = (wallClock, elapsed, onStep)
        var state = State(wallClockTime: wallClock.now(), elapsed: elapsed())
        var step: Step?
        if let lastSeen {
            let absence = state.wallClockTime - lastSeen
            if absence < .zero - Self.tolerance || absence > Self.longestAbsence {
                step = Step(amount: absence)
                state.pausedUntil = state.elapsed + Self.pause
            }
        }
        self.state = Mutex(state)
        if let step { onStep(step) }
    }

    /// A clock that is always relied on, for commands and tests.
    package static let assumed = ClockSteadiness(
        wallClock: WallClock { WallClockTime(millisecondsSince1970: 0) }, elapsed: { .zero }, onStep: { _ in })

    /// Compares the clocks, at least once a minute.
    ///
    /// - Returns: false during the pause after a step.
    package func isSteady() -> Bool {
        let (wallClockTime, elapsed) = (wallClock.now(), elapsed())
        let (isSteady, step) = state.withLock { state -> (Bool, Step?) in
            let amount = (wallClockTime - state.wallClockTime) - (elapsed - state.elapsed)
            (state.wallClockTime, state.elapsed) = (wallClockTime, elapsed)
            let isStep = amount > Self.tolerance || amount < .zero - Self.tolerance
            if isStep { state.pausedUntil = elapsed + Self.pause }
            if let end = state.pausedUntil, elapsed >= end { state.pausedUntil = nil }
            return (state.pausedUntil == nil, isStep ? Step(amount: amount) : nil)
        }
        if let step { onStep(step) }
        return isSteady
    }
}
