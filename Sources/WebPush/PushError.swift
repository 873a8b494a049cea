/// Push messages that cannot be sent, with a reason that says why.
package struct PushError: Error, Hashable, CustomStringConvertible {
    /// A sentence without a full stop.
    package var reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
