import MediaCore
import NIOCore

/// What one connection takes of the ``RequestBudget``. The streams of an HTTP/2 connection share it.
final class RequestAccount: Sendable {
    private let budget: RequestBudget
    let number: Int
    let group: AddressGroup
    let close: @Sendable () -> Void

    init(_ budget: RequestBudget, number: Int, group: AddressGroup, close: @escaping @Sendable () -> Void) {
        (self.budget, self.number, self.group, self.close) = (budget, number, group, close)
    }

    deinit { budget.end(self) }

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

/// What a request takes in memory, as far as it can be told from outside.
enum RequestCost {
    /// A request or stream itself: its channel, its handlers and the task that serves it.
    static let base = 8 << 10
    /// What may lie between the socket and the handler of a request with a body: NIO reads at most so much at once, and
    /// an HTTP/2 stream has a window of this size.
    static let bodyWindow = 64 << 10
    /// Overhead of a field, in the form of HTTP/2 or in that of the handlers.
    private static let field = 96

    /// A decoded head.
    ///
    /// - Parameters:
    ///   - fieldCount: number of fields.
    ///   - byteCount: bytes of their names and values.
    static func head(fieldCount: Int, byteCount: Int) -> Int { base + 2 * byteCount + field * fieldCount }
}
