import MediaCore
import NIOCore

/// One connection's share of the `RequestBudget`. The streams of an HTTP/2 connection share it.
final class RequestAccount: Sendable {
    private let budget: RequestBudget
    let number: Int
    let group: AddressGroup
    let close: @Sendable () -> Void

    init(_ budget: RequestBudget, number: Int, group: AddressGroup, close: @escaping @Sendable () -> Void) {
        (self.budget, self.number, self.group, self.close) = (budget, number, group, close)
    }

    deinit { budget.end(self) }

    /// True if requests take more than half of the memory that they may.
    var isMemoryShort: Bool { budget.isShort }

    /// Takes memory that is about to be used.
    ///
    /// - Returns: false if the connection may not have so much.
    func take(_ byteCount: Int) -> Bool { budget.take(byteCount, for: self) }

    /// Counts memory that is in use already; if it is too much, connections are closed, possibly this one.
    func add(_ byteCount: Int) { budget.add(byteCount, for: self) }

    /// Gives memory back.
    ///
    /// - Parameter isProgress: whether the client has done its part.
    func give(_ byteCount: Int, isProgress: Bool = false) {
        if byteCount > 0 { budget.give(byteCount, of: self, isProgress: isProgress) }
    }

    /// Notes that the client has sent or taken enough to stay.
    func noteProgress() { budget.noteProgress(of: self) }
}
