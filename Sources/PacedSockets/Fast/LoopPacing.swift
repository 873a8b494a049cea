package import NIOCore

/// The pacing that the publishers of an event loop share to be read at ticks. Confined to the loop.
///
/// Publishers take turns: the ticks of a longer interval have as many phases as the shortest interval fits into it, and
/// each publisher has one of them. A loop with many publishers would otherwise read all of them at once, and hold
/// everybody else up meanwhile.
package final class LoopPacing {
    /// The times between ticks, longest first. Each is a multiple of the next, so that ticks come together.
    ///
    /// A tick costs much the same whether ten packets are waiting or fifty, and for viewers of whole segments the
    /// longest delay is far below a segment's duration. The shorter ones are for sockets whose receive buffer may not
    /// hold what arrives between two ticks; the shortest is a frame at 25 frames per second.
    package static let intervals: [Duration] = [.milliseconds(240), .milliseconds(120), .milliseconds(40)]

    /// The ticks of all publishers, by interval, then by phase.
    private let ticks: [[ReceptionTicks]]
    /// Weak, so that its memory goes with the last publisher.
    private weak var scratch: ReceptionScratch?
    private var publisherCount = 0

    package init(eventLoop: any EventLoop) {
        let shortest = Self.intervals.last ?? .zero
        ticks = Self.intervals.map { interval in
            (0..<Int(interval / shortest)).map { phase in
                ReceptionTicks(eventLoop: eventLoop, interval: interval, phase: shortest * phase)
            }
        }
    }

    /// The pacing of the next publisher.
    package func makePublisherPacing() -> PublisherPacing {
        defer { publisherCount &+= 1 }
        let scratch = scratch ?? ReceptionScratch()
        self.scratch = scratch
        return PublisherPacing(ticks: ticks.map { $0[publisherCount % $0.count] }, scratch: scratch)
    }
}
