/// Treatment of the frames after a packet loss.
package enum PacketLossPolicy: Hashable, Sendable {
    /// Drops all frames until decoding can start again, so that no frame is ever corrupt.
    case dropUntilRandomAccess
    /// Drops only frames that are damaged themselves, and leaves concealment to the players.
    case dropDamaged
}
