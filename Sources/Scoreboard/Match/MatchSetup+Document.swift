import Accounts
package import JSONDocument
import MediaCore

/// The set-up as the referee's page reads it, so that the page can compute the score without a network.
extension MatchSetup {
    /// The rules as in their file, and everything that a board shows beside the score.
    package var document: JSONText {
        .object([
            ("rules", .raw(rulesText)), ("channel", .string(channel)), ("modality", .string(modality.rawValue)),
            ("scoring", .string(scoring.rawValue)),
            (
                "firstServer",
                .object([("side", .string(firstServer.side.rawValue)), ("player", .integer(firstServer.player))])
            ),
            ("isDrawn", .boolean(isDrawn)), ("competition", .string(competition)), ("stage", .string(stage)),
            ("referee", .string(referee)),
            ("sides", .array(MatchSide.allCases.map { .array(sides[$0].map(\.document)) })),
        ])
    }
}

extension MatchSetup.Entrant {
    fileprivate var document: JSONText {
        .object([
            ("id", .optional(player?.text)), ("name", .string(name)), ("shortName", .string(shortName)),
            ("country", .optional(country)), ("gender", .optional(gender?.rawValue)),
            ("birthDate", .optional(birthDate?.description)), ("extra", .string(extra)),
        ])
    }
}
