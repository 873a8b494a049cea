import NIOCore

/// What the publishers of an event loop share to be read at ticks. Confined to the loop.
final class LoopPacing {
    /// The times between ticks, longest first. Each is a multiple of the next, so that they come together.
    ///
    /// A tick costs much the same whether ten packets are waiting or fifty, and for viewers of whole segments the longest
    /// delay is far below a segment's duration. The shorter ones are for sockets whose receive buffer may not hold what
    /// arrives between two ticks; the shortest is a frame at 25 frames per second.
    static let intervals: [Duration] = [.milliseconds(240), .milliseconds(120), .milliseconds(40)]

    /// The ticks of each of ``intervals``.
    let ticks: [ReceptionTicks]
    let scratch = ReceptionScratch()

    init(eventLoop: any EventLoop) {
        ticks = Self.intervals.map { ReceptionTicks(eventLoop: eventLoop, interval: $0) }
    }

    /// Reads all sockets that wait for a tick, because somebody has begun to wait for what one of them receives.
    func hurry() {
        for ticks in ticks { ticks.fireNow() }
    }
}
