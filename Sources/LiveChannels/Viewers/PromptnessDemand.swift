package import NIOCore
import Synchronization

/// A demand for the prompt handling of a publisher's packets. It holds while somebody would notice a delay of some
/// milliseconds: a low-latency viewer, whose requests wait for the next part.
///
/// Written by requests on any thread and read by the publisher's event loop, so that the first such request takes
/// effect without a hop.
package final class PromptnessDemand: Sendable {
    /// Duration of a demand. A viewer asks again with each part; one that has not done so for this long has paused or
    /// left.
    static let memory = Duration.seconds(10)

    /// Nanoseconds of ``NIODeadline``'s clock; 0 before the first demand.
    private let end = Atomic<UInt64>(0)

    package init() {}

    /// Begins or prolongs the demand.
    package func note(now: NIODeadline) {
        end.store((now + TimeAmount(Self.memory)).uptimeNanoseconds, ordering: .relaxed)
    }

    /// Returns whether the demand still holds.
    package func holds(now: NIODeadline) -> Bool { now.uptimeNanoseconds < end.load(ordering: .relaxed) }
}
