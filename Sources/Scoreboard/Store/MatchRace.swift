/// A match has entries that the sender of an event does not know.
package struct MatchRace: Error {
    /// The entries that have come meanwhile.
    package var entries: [MatchEntry]
    package var match: ScoreMatch
}
