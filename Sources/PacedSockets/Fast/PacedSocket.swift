package import NIOCore

/// A publisher's socket that is read at ticks while nobody needs its packets immediately. Confined to its event loop.
package protocol PacedSocket: AnyObject {
    /// The ticks at which it may be read; `nil` while it must be read as data arrives.
    ///
    /// - Parameter now: the time on the loop's clock.
    func ticks(now: NIODeadline) -> ReceptionTicks?

    /// The time from which what arrives has to be handled as it arrives; `nil` while that does not matter to anybody.
    ///
    /// - Parameter now: the time on the loop's clock.
    func promptTime(now: NIODeadline) -> NIODeadline?

    /// The selector does not need to report data any more, except what exceeds the receive buffer.
    func beginPacing()
    /// The selector reports data again, that which has arrived already included.
    func endPacing()
    /// Reads and handles what has arrived.
    func readArrived()
}
