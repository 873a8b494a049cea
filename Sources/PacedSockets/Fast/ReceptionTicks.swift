import NIOCore

/// The times at which publishers' sockets are read while no viewer needs their packets immediately.
///
/// A camera sends a packet every few milliseconds, and waking up for each costs more than handling it. Ticks are at
/// fixed times on the loop's clock, so that publishers are read together. Confined to its event loop.
package final class ReceptionTicks {
    private let eventLoop: any EventLoop
    private let intervalNanoseconds: UInt64
    private let phaseNanoseconds: UInt64
    private var waiters: [any TickWaiter] = []
    /// Kept to avoid allocating either array with each tick.
    private var woken: [any TickWaiter] = []
    private var isScheduled = false

    /// - Parameters:
    ///   - eventLoop: the event loop.
    ///   - interval: the time between ticks.
    ///   - phase: the time by which ticks are later than multiples of the interval; shorter than that.
    init(eventLoop: any EventLoop, interval: Duration, phase: Duration = .zero) {
        self.eventLoop = eventLoop
        intervalNanoseconds = UInt64(TimeAmount(interval).nanoseconds)
        phaseNanoseconds = UInt64(TimeAmount(phase).nanoseconds)
    }

    /// Calls ``TickWaiter/tick()`` once, at the next tick.
    func wait(_ waiter: any TickWaiter) {
        waiters.append(waiter)
        guard !isScheduled else { return }
        isScheduled = true
        eventLoop.assumeIsolated().scheduleTask(deadline: next(after: eventLoop.now)) { [self] in
            isScheduled = false
            fireNow()
        }
    }

    /// Lets those who wait go on at once.
    func fireNow() {
        // A waiter may call this again.
        var woken = self.woken
        self.woken = []
        swap(&waiters, &woken)
        for waiter in woken { waiter.tick() }
        woken.removeAll(keepingCapacity: true)
        self.woken = woken
    }

    /// The next tick.
    func next(after now: NIODeadline) -> NIODeadline {
        // An interval is added before the phase is taken away, because the loop's clock may begin at zero.
        let count = (now.uptimeNanoseconds + intervalNanoseconds - phaseNanoseconds) / intervalNanoseconds
        return .uptimeNanoseconds(count * intervalNanoseconds + phaseNanoseconds)
    }
}
