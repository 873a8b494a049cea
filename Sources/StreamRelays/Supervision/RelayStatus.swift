package import MediaCore

/// The state of a relay.
package struct RelayStatus: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// An operator has stopped it.
        case stopped
        /// There is nothing to do: nobody watches, another publisher has the channel, or the channel is off the air.
        case waiting
        case connecting
        case running
        /// The last attempt has failed; there will be another one.
        case failing
    }

    package var identifier: RelayIdentifier
    /// The address without what is secret.
    package var address: String
    package var state: State
    /// The time since which it is so.
    package var since: WallClockTime
    /// The reason of the last end; `nil` if there was none.
    package var reason: String?
    /// Attempts since the server has started, or the addresses were changed.
    package var attemptCount = 0
    /// Bytes of the newest connection.
    package var byteCount = 0
    /// Access units that the newest connection was too slow for.
    package var droppedUnitCount = 0
    /// Bytes of all connections since the server has started.
    package var totalByteCount = 0
    /// Access units that all connections since the start of the server were too slow for.
    package var totalDroppedUnitCount = 0
}
