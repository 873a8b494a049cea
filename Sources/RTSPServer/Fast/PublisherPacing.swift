/// The ticks at which the sockets of a publisher are read together. Confined to its event loop.
final class PublisherPacing {
    /// The ticks of each of ``LoopPacing/intervals``.
    let ticks: [ReceptionTicks]
    let scratch: ReceptionScratch

    init(ticks: [ReceptionTicks], scratch: ReceptionScratch) { (self.ticks, self.scratch) = (ticks, scratch) }

    /// Reads the sockets that wait for a tick, because somebody has begun to wait for what one of them receives.
    func hurry() {
        for ticks in ticks { ticks.fireNow() }
    }
}
