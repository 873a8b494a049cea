package import Accounts
import JSONDocument
package import MediaCore

/// A match as it is set up, before the first event.
package struct MatchSetup: Sendable, Hashable {
    /// A player, or a team with one entry, as it is shown.
    package struct Entrant: Sendable, Hashable {
        /// `nil` for a name that is not among the players, and for a player that was deleted.
        package var player: OpaqueID?
        package var name: String
        /// A short form for small boards.
        package var shortName: String
        /// The code of a country; `nil` if it is not known.
        package var country: String?
        package var gender: ScorePlayer.Gender?
        package var birthDate: CivilDate?
        package var extra: String
        /// The version of the player's photo; `nil` for none, and for a player that was deleted.
        package var photo: String?

        package init(name: String) {
            (self.name, shortName, extra) = (name, name, "")
        }

        package init(_ player: ScorePlayer) {
            self.player = player.id
            (name, shortName, extra) = (player.fullName, player.lastName, player.extra)
            (country, gender, birthDate) = (player.country, player.gender, player.birthDate)
            photo = player.photo
        }
    }

    package var channel: String
    package var rules: MatchRules
    /// The text of the rules, which is stored with the match.
    package var rulesText: String
    package var modality: MatchRules.Modality
    package var scoring: MatchRules.Scoring
    package var sides: SidePair<[Entrant]>
    package var firstServer: MatchServer
    /// Whether the first server was drawn.
    package var isDrawn: Bool
    /// The draw of the first server; `nil` if the referee has chosen, or has drawn in another way.
    package var draw: FirstServeDraw?
    /// The competition, and its day, round or court, as lines; empty for none.
    package var competition: String
    package var stage: String
    package var referee: String

    package static let maximumLineLength = 120

    /// The state before the first event.
    package var beginning: MatchState {
        MatchState(rules, scoring: scoring, modality: modality, firstServer: firstServer)
    }
}

extension MatchSetup {
    /// The members that are not entrants, as they are stored.
    var json: JSONText {
        .object(
            [
                ("firstSide", .string(firstServer.side.rawValue)), ("firstPlayer", .integer(firstServer.player)),
            ] + members)
    }

    /// The members that the stored form and that of the referee's page have alike.
    var members: [JSONText.Field] {
        [
            ("modality", .string(modality.rawValue)), ("scoring", .string(scoring.rawValue)),
            ("isDrawn", .boolean(isDrawn)), ("drawSeed", .optional(draw?.seed)), ("competition", .string(competition)),
            ("stage", .string(stage)),
            ("referee", .string(referee)),
        ]
    }

    /// Reads what ``json`` has written.
    init?(channel: String, rulesText: String, setup: String, sides: SidePair<[Entrant]>) {
        guard let rules = try? MatchRules(JSONParser.parse(rulesText.utf8), file: "match"),
            let node = try? JSONParser.parse(setup.utf8),
            let modality = node["modality"]?.string.flatMap(MatchRules.Modality.init),
            let scoring = node["scoring"]?.string.flatMap(MatchRules.Scoring.init),
            let side = node["firstSide"]?.string.flatMap(MatchSide.init), let player = node["firstPlayer"]?.integer
        else { return nil }
        self.init(
            channel: channel, rules: rules, rulesText: rulesText, modality: modality, scoring: scoring, sides: sides,
            firstServer: MatchServer(side, player: player), isDrawn: node["isDrawn"]?.boolean ?? false,
            draw: node["drawSeed"]?.string.flatMap(FirstServeDraw.init(seed:)),
            competition: node["competition"]?.string ?? "", stage: node["stage"]?.string ?? "",
            referee: node["referee"]?.string ?? "")
    }
}

extension MatchSetup.Entrant {
    var json: JSONText { .object(members) }

    /// The members that the stored form and that of the referee's page have alike.
    var members: [JSONText.Field] {
        [
            ("name", .string(name)), ("shortName", .string(shortName)), ("country", .optional(country)),
            ("gender", .optional(gender?.rawValue)), ("birthDate", .optional(birthDate?.description)),
            ("extra", .string(extra)), ("photo", .optional(photo)),
        ]
    }

    init?(player: OpaqueID?, person: String) {
        guard let node = try? JSONParser.parse(person.utf8), let name = node["name"]?.string else { return nil }
        self.init(name: name)
        self.player = player
        shortName = node["shortName"]?.string ?? name
        country = node["country"]?.string
        gender = node["gender"]?.string.flatMap(ScorePlayer.Gender.init)
        birthDate = node["birthDate"]?.string.flatMap { CivilDate(parsing: $0) }
        extra = node["extra"]?.string ?? ""
        // A photo is deleted with its player.
        photo = player == nil ? nil : node["photo"]?.string
    }
}
