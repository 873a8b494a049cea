package import Accounts

/// A match that is to be made.
package struct NewMatch: Sendable {
    /// A player by ID, or a name that is not among the players.
    package enum Entrant: Sendable, Hashable {
        case player(OpaqueID)
        case name(String)
    }

    package var channel: String
    package var rules: String
    package var modality: MatchRules.Modality?
    package var scoring: MatchRules.Scoring?
    package var sides: SidePair<[Entrant]>
    /// `nil` lets chance decide.
    package var firstServer: MatchServer?
    /// Whether `firstServer` was drawn by the sender, such as a tablet without a network.
    package var isDrawn = false
    /// The draw of the first server; `nil` if it was chosen, or if chance decides here.
    package var draw: FirstServeDraw?
    package var competition = ""
    package var stage = ""
    package var referee = ""

    package init(channel: String, rules: String, sides: SidePair<[Entrant]>) {
        (self.channel, self.rules, self.sides) = (channel, rules, sides)
    }
}
