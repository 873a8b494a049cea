package import NIOCore
import Synchronization

/// Whether somebody would notice if a publisher's packets were handled some milliseconds later: a viewer with low
/// latency, whose requests wait for the next part.
///
/// Written by requests on any thread and read by the publisher's event loop, so that the first such request is heard
/// without a hop.
package final class PromptnessDemand: Sendable {
    /// A viewer asks again with each part. One that has not for this long has paused or left; the next request begins a
    /// new demand.
    static let memory = TimeAmount.seconds(10)

    /// Nanoseconds of ``NIODeadline``'s clock; 0 before the first demand.
    private let end = Atomic<UInt64>(0)

    package init() {}

    package func note(now: NIODeadline) {
        end.store((now + Self.memory).uptimeNanoseconds, ordering: .relaxed)
    }

    package func holds(now: NIODeadline) -> Bool { now.uptimeNanoseconds < end.load(ordering: .relaxed) }
}

extension LiveChannel {
    /// Whether packets are to be handled as they come: a viewer waits for parts, or an RTSP reader gets the packets.
    package func wantsPromptPackets(now: NIODeadline) -> Bool { promptness.holds(now: now) || fanOut.isRead }
}
