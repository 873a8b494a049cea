import NIOCore

/// The times at which publishers' sockets are read while no viewer needs their packets immediately.
///
/// A camera sends a packet every few milliseconds, and waking up for each costs more than handling it. Ticks are at
/// multiples of ``interval`` on the loop's clock, so that all publishers of a loop are read in one iteration of it.
/// Confined to its event loop.
final class ReceptionTicks {
    /// Time between ticks: a frame at 25 frames per second. It is also the maximum delay for viewers of whole
    /// segments. Most of what a camera costs while nobody watches is waking up, so that half the ticks cost little more
    /// than half.
    static let interval = Duration.milliseconds(40)
    /// ``interval`` on the loop's clock.
    static let intervalNanoseconds = UInt64(TimeAmount(interval).nanoseconds)

    private let eventLoop: any EventLoop
    private var waiters: [any TickWaiter] = []
    /// Kept to avoid allocating either array with each tick.
    private var woken: [any TickWaiter] = []

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Calls ``TickWaiter/tick()`` once, at the next tick.
    func wait(_ waiter: any TickWaiter) {
        waiters.append(waiter)
        guard waiters.count == 1 else { return }
        eventLoop.assumeIsolated().scheduleTask(deadline: Self.next(after: eventLoop.now)) { self.fire() }
    }

    private func fire() {
        swap(&waiters, &woken)
        for waiter in woken { waiter.tick() }
        woken.removeAll(keepingCapacity: true)
    }

    static func next(after now: NIODeadline) -> NIODeadline {
        let interval = Self.intervalNanoseconds
        return .uptimeNanoseconds((now.uptimeNanoseconds / interval + 1) * interval)
    }
}
