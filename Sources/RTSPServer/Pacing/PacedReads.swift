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
