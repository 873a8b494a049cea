import NIOCore
import Synchronization

/// An object that waits for a tick.
protocol TickWaiter: AnyObject {
    func tick()
}

/// The times at which publishers' sockets are read while no viewer needs their packets immediately.
///
/// A camera sends a packet every few milliseconds, and waking up for each costs more than handling it. Ticks are at
/// multiples of ``interval`` on the loop's clock, so that all publishers of a loop are read in one iteration of it.
/// Confined to its event loop.
final class ReceptionTicks {
    /// Time between ticks: a frame at 50 frames per second. It is also the maximum delay for viewers of whole
    /// segments.
    static let interval = TimeAmount.milliseconds(20)

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
        let interval = UInt64(Self.interval.nanoseconds)
        return .uptimeNanoseconds((now.uptimeNanoseconds / interval + 1) * interval)
    }
}

/// The ticks of all event loops.
final class ReceptionTickGroup: Sendable {
    private let ticks = Mutex([ObjectIdentifier: NIOLoopBound<ReceptionTicks>]())

    /// The ticks of an event loop; must be called on the loop.
    func ticks(of eventLoop: any EventLoop) -> ReceptionTicks {
        let bound = ticks.withLock { ticks in
            if let found = ticks[ObjectIdentifier(eventLoop)] { return found }
            let new = NIOLoopBound(ReceptionTicks(eventLoop: eventLoop), eventLoop: eventLoop)
            ticks[ObjectIdentifier(eventLoop)] = new
            return new
        }
        return bound.value
    }
}

/// Decides for a socket whether it is read immediately or at the next tick. Confined to its event loop.
final class PacedReads: TickWaiter {
    private let ticks: ReceptionTicks
    private let maximumAmount: Int
    private let read: () -> Void
    /// Bytes or datagrams received since the last read was requested.
    private var amount = 0
    private var isClosed = false
    private(set) var isWaiting = false

    /// - Parameters:
    ///   - ticks: ticks of the event loop.
    ///   - maximumAmount: amount received since the last read that indicates that more is waiting, so that the socket
    ///     is read again immediately.
    ///   - read: reads the socket at a tick; not called after ``close()``.
    init(ticks: ReceptionTicks, maximumAmount: Int, read: @escaping () -> Void) {
        self.ticks = ticks
        self.maximumAmount = maximumAmount
        self.read = read
    }

    /// - Parameter amount: number of bytes or datagrams, in the unit of ``maximumAmount``.
    func received(_ amount: Int) { self.amount += amount }

    /// Decides on a requested read.
    ///
    /// - Parameter isPrompt: whether packets must be handled as they arrive.
    /// - Returns: whether to read now; otherwise the socket is read at the next tick.
    func mayRead(isPrompt: Bool) -> Bool {
        if isWaiting { return false }
        defer { amount = 0 }
        guard !isPrompt, amount > 0, amount < maximumAmount else { return true }
        isWaiting = true
        ticks.wait(self)
        return false
    }

    func tick() {
        guard isWaiting, !isClosed else { return }
        isWaiting = false
        read()
    }

    func close() { isClosed = true }
}
