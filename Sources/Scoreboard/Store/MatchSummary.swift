package import Accounts
package import MediaCore

/// A match in a list.
package struct MatchSummary: Sendable, Hashable {
    package let id: OpaqueID
    package var number: Int64
    package var channel: String
    package var rules: String
    package var phase: MatchState.Phase
    package var winner: MatchSide?
    package var scoreText: String
    package var names: SidePair<[String]>
    package var countries: SidePair<[String]>
    package var competition: String
    package var createdAt: WallClockTime
    package var startedAt: WallClockTime?
    package var endedAt: WallClockTime?
}
