/// A clock for periodic tasks: its sleepers wake at common times, the beats.
///
/// Most of the cost of a server at rest is waking up. Sleepers that wake at the same moment cost a third of the
/// processor time that they cost one by one.
package struct BeatClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    /// The time between two beats.
    package static let interval = Duration.milliseconds(500)
    /// The time by which a sleeper may be woken early. It works for a moment before it sleeps again, and must not miss
    /// each second beat for that.
    package static let tolerance = Duration.milliseconds(100)

    private static let origin = ContinuousClock.now

    package init() {}

    package var now: Instant { .now }
    package var minimumResolution: Duration { Self.interval }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        // Never a beat that has passed, however short the sleep.
        let beat = Self.beat(for: max(deadline, now + Self.tolerance))
        try await Task.sleep(until: beat, tolerance: tolerance, clock: .continuous)
    }

    /// The time to the next beat, for threads that sleep themselves.
    package static var timeToNextBeat: Duration {
        let now = Instant.now
        return now.duration(to: beat(for: now + tolerance + .milliseconds(1)))
    }

    /// The beat at which a sleeper is woken: the first one that is not early, or early by no more than ``tolerance``.
    static func beat(for deadline: Instant) -> Instant {
        let time = origin.duration(to: deadline) - tolerance
        let count = (time / interval).rounded(.up)
        return origin + interval * Int(count)
    }
}
