import NIOCore
import Synchronization

/// Whoever is woken by a tick.
protocol TickWaiter: AnyObject {
    func tick()
}

/// The moments at which publishers' sockets are read while nobody needs their packets at once.
///
/// A camera sends a packet every few milliseconds, and waking up for each costs more than handling it. Ticks are multiples
/// of ``interval`` of the loop's clock, so that all publishers of a loop are read in one turn of it. Confined to its event
/// loop.
final class ReceptionTicks {
    /// A frame at 50 a second. What viewers of whole segments get is later by as much at most.
    static let interval = TimeAmount.milliseconds(20)

    private let eventLoop: any EventLoop
    private var waiters: [any TickWaiter] = []
    /// Kept so that neither array is allocated anew with each tick.
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

/// Each event loop's ticks.
final class ReceptionTickGroup: Sendable {
    private let ticks = Mutex([ObjectIdentifier: NIOLoopBound<ReceptionTicks>]())

    /// To be called on the loop.
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

/// Decides for one socket whether it is read at once or at the next tick. Confined to its event loop.
final class PacedReads: TickWaiter {
    private let ticks: ReceptionTicks
    private let maximumAmount: Int
    private let read: () -> Void
    /// What came since the last read was asked for.
    private var amount = 0
    private var isClosed = false
    private(set) var isWaiting = false

    /// - Parameters:
    ///   - maximumAmount: as much as this since the last read means that more is waiting: the socket is read on at once.
    ///   - read: reads the socket at a tick; not called after ``close()``.
    init(ticks: ReceptionTicks, maximumAmount: Int, read: @escaping () -> Void) {
        self.ticks = ticks
        self.maximumAmount = maximumAmount
        self.read = read
    }

    /// - Parameter amount: bytes or datagrams, as ``maximumAmount`` counts.
    func received(_ amount: Int) { self.amount += amount }

    /// - Parameter isPrompt: somebody wants the packets as they come.
    /// - Returns: whether to read now; otherwise the read comes with the next tick.
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
