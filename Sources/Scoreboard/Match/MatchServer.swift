/// The player who serves.
package struct MatchServer: Sendable, Hashable {
    package var side: MatchSide
    /// The player's position on the side; always 0 if the side has one entry.
    package var player: Int

    package init(_ side: MatchSide, player: Int = 0) { (self.side, self.player) = (side, player) }
}
