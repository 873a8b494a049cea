/// The ticks at which the sockets of a publisher are read together. Confined to its event loop.
package final class PublisherPacing {
    /// The ticks of each of ``LoopPacing/intervals``.
    package let ticks: [ReceptionTicks]
    package let scratch: ReceptionScratch

    init(ticks: [ReceptionTicks], scratch: ReceptionScratch) { (self.ticks, self.scratch) = (ticks, scratch) }

    /// Reads the sockets that wait for a tick, because somebody has begun to wait for what one of them receives.
    package func hurry() {
        for ticks in ticks { ticks.fireNow() }
    }
}
