package import NIOCore

/// A connection of a publisher that ``ConnectionPacing`` reads at ticks. Confined to its event loop.
package protocol PacedConnection: AnyObject {
    /// Whether data that has arrived can be handled now.
    var takesMedia: Bool { get }

    /// The time from which data has to be handled as it arrives; `nil` while that does not matter to anybody.
    ///
    /// - Parameter now: the time on the loop's clock.
    func promptTime(now: NIODeadline) -> NIODeadline?
}
