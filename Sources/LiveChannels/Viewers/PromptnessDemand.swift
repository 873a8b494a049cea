package import NIOCore
import Synchronization

/// A demand for the prompt handling of a track's packets. It holds while somebody would notice a delay of some
/// milliseconds: a low-latency viewer, whose requests wait for the track's next part.
///
/// Written by requests on any thread and read by the publisher's event loop, so that the first such request takes
/// effect without a hop.
package final class PromptnessDemand: Sendable {
    /// Duration of a demand. A viewer asks again with each part; one that has not done so for this long has paused or
    /// left.
    static let memory = Duration.seconds(10)

    /// Nanoseconds of ``NIODeadline``'s clock; 0 before the first demand.
    private let end = Atomic<UInt64>(0)
    /// The time until which nobody would notice a delay, in the same unit.
    private let restEnd = Atomic<UInt64>(0)

    package init() {}

    /// Begins or prolongs the demand.
    ///
    /// - Returns: whether nobody else's demand held.
    package func note(now: NIODeadline) -> Bool {
        let end = (now + TimeAmount(Self.memory)).uptimeNanoseconds
        return self.end.exchange(end, ordering: .relaxed) <= now.uptimeNanoseconds
    }

    /// Lets the demand rest, because what it is for cannot come before a time.
    ///
    /// - Parameter time: the time; `nil` if it can come at any time.
    func rest(until time: NIODeadline?) { restEnd.store(time?.uptimeNanoseconds ?? 0, ordering: .relaxed) }

    /// The time from which packets have to be handled as they arrive: now, or the end of the rest; `nil` without a
    /// demand.
    package func promptTime(now: NIODeadline) -> NIODeadline? {
        guard now.uptimeNanoseconds < end.load(ordering: .relaxed) else { return nil }
        return max(now, .uptimeNanoseconds(restEnd.load(ordering: .relaxed)))
    }
}
