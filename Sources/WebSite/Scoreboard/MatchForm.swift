import Accounts
import HTTPEndpoints
import LiveChannels
import MediaCore
import Scoreboard
import SiteTexts

/// The form with which a match is set up: the same on the page for it, and on that of a tablet's matches.
struct MatchForm {
    /// The names of the fields.
    enum FieldName: String {
        case channel, rules, modality, scoring, a1, a2, b1, b2, firstServer, drawSeed, competition, stage, referee

        /// The players' fields by side, in the order of serving.
        static let players: SidePair<[FieldName]> = SidePair([.a1, .a2], [.b1, .b2])

        /// The name of the field with the ID of a player whose name a field has.
        var playerName: String { "\(rawValue)Player" }
    }

    let text: ScoreboardText
    let players: MatchPlayersText
    let language: SiteLanguage
    /// The channels to choose from.
    var channels: [ChannelStatus] = []
    /// The fields as they were sent; `nil` for a new form.
    var sent: FormFields?

    private func value(_ name: FieldName) -> String { sent?[name.rawValue] ?? "" }

    /// The values of the partial `matchform`.
    var values: [String: Any] {
        [
            "s": text, "p": players,
            "channelChoices": channels.map { channel in
                [
                    "value": channel.name, "label": SitePage.displayed(channel.title),
                    "selected": channel.name == value(.channel),
                ] as [String: Any]
            },
            "rules": MatchRuleFiles.all.map(card),
            "modalities": MatchRules.Modality.allCases.map { modality in
                [
                    "value": modality.rawValue, "label": text.name(of: modality),
                    "text": players.description(of: modality), "checked": modality.rawValue == value(.modality),
                ] as [String: Any]
            },
            "scorings": MatchRules.Scoring.allCases.map { scoring in
                [
                    "value": scoring.rawValue, "label": text.name(of: scoring),
                    "selected": scoring.rawValue == value(.scoring),
                ] as [String: Any]
            },
            "sides": MatchSide.allCases.map { side in
                [
                    "side": side.rawValue, "name": side == .a ? text.sideA : text.sideB,
                    "players": FieldName.players[side].enumerated().map(player),
                ] as [String: Any]
            },
            "drawn": value(.firstServer).isEmpty, "servesA": value(.firstServer) == "a1",
            "servesB": value(.firstServer) == "b1", "drawSeed": SitePage.displayed(value(.drawSeed)),
            "lines": [
                line(.competition, text.competition), line(.stage, text.stage), line(.referee, text.referee),
            ],
            "lineLength": MatchSetup.maximumLineLength,
        ]
    }

    private func card(_ rules: MatchRules) -> [String: Any] {
        func name(_ texts: [String: String]) -> String { texts[language.rawValue] ?? texts["en"] ?? rules.id }
        let chosen = value(.rules).isEmpty ? MatchRuleFiles.preferred : value(.rules)
        return [
            "id": rules.id, "sport": name(rules.sport), "name": name(rules.name), "drawing": rules.drawing,
            "allowed": rules.modalities.map(\.rawValue).joined(separator: " "), "serves": rules.serveOrder != .none,
            "checked": rules.id == chosen,
        ]
    }

    private func player(_ number: Int, _ name: FieldName) -> [String: Any] {
        let labels: [FieldName: String] = [
            .a1: players.playerA1, .a2: players.playerA2, .b1: players.playerB1, .b2: players.playerB2,
        ]
        return [
            "field": name.rawValue, "label": labels[name] ?? "", "value": SitePage.displayed(value(name)),
            "player": SitePage.displayed(sent?[name.playerName] ?? ""), "isPartner": number > 0,
        ]
    }

    private func line(_ name: FieldName, _ label: String) -> [String: Any] {
        ["field": name.rawValue, "label": label, "value": SitePage.displayed(value(name))]
    }
}

extension MatchRuleFiles {
    /// The rules that a new form has chosen.
    fileprivate static let preferred = "racquetball3"
}

extension MatchRules {
    /// The drawing on the card of the rules.
    fileprivate var drawing: String {
        switch play {
        case .periods: "ball"
        case .games, .sets: modalities.contains(.teams) ? "net" : "racket"
        }
    }
}
