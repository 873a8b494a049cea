import Accounts
package import JSONDocument
import MediaCore

/// The set-up as the referee's page reads it, so that the page can compute the score without a network.
extension MatchSetup {
    /// The rules as in their file, and everything that a board shows beside the score.
    package var document: JSONText {
        let server = JSONText.object([
            ("side", .string(firstServer.side.rawValue)), ("player", .integer(firstServer.player)),
        ])
        let entrants = JSONText.array(MatchSide.allCases.map { .array(sides[$0].map(\.document)) })
        return .object(
            [("rules", .raw(rulesText)), ("channel", .string(channel)), ("firstServer", server), ("sides", entrants)]
                + members)
    }
}

extension MatchSetup.Entrant {
    fileprivate var document: JSONText { .object([("id", .optional(player?.text))] + members) }
}
