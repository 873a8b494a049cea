package import JSONDocument

/// The form in which actions are stored and sent: an object whose `type` names the action.
extension MatchAction {
    /// The value of `type`.
    package enum Kind: String, Sendable, CaseIterable {
        case start, point, correct, changeServer, setServer, timeOut, endTimeOut, appeal, card, injury, freeze
        case unfreeze, setState, nextGame, endPeriod, startClock, stopClock, setClock, note, walkover, abandon
    }

    package var kind: Kind {
        switch self {
        case .start: .start
        case .point: .point
        case .correct: .correct
        case .changeServer: .changeServer
        case .setServer: .setServer
        case .timeOut: .timeOut
        case .endTimeOut: .endTimeOut
        case .appeal: .appeal
        case .card: .card
        case .injury: .injury
        case .freeze: .freeze
        case .unfreeze: .unfreeze
        case .setState: .setState
        case .nextGame: .nextGame
        case .endPeriod: .endPeriod
        case .startClock: .startClock
        case .stopClock: .stopClock
        case .setClock: .setClock
        case .note: .note
        case .walkover: .walkover
        case .abandon: .abandon
        }
    }

    package var json: JSONText {
        var fields: [JSONText.Field] = [("type", .string(kind.rawValue))]
        switch self {
        case .point(let side, let count), .correct(let side, let count):
            fields.append(("side", .string(side.rawValue)))
            if count != 1 { fields.append(("count", .integer(count))) }
        case .setServer(let server):
            fields += [("side", .string(server.side.rawValue)), ("player", .integer(server.player))]
        case .timeOut(let side), .walkover(let side): fields.append(("side", .string(side.rawValue)))
        case .appeal(let side, let outcome):
            fields += [("side", .string(side.rawValue)), ("outcome", .string(outcome.rawValue))]
        case .card(let side, let card, let player):
            fields += [("side", .string(side.rawValue)), ("card", .string(card.rawValue))]
            if let player { fields.append(("player", .integer(player))) }
        case .injury(let side, let player):
            fields.append(("side", .string(side.rawValue)))
            if let player { fields.append(("player", .integer(player))) }
        case .setState(let score):
            fields += [
                ("finished", .array(score.finished.map(\.json))), ("points", score.points.json),
                ("games", score.games.json),
            ]
        case .setClock(let seconds): fields.append(("seconds", .integer(seconds)))
        case .note(let text): fields.append(("text", .string(text)))
        case .start, .changeServer, .endTimeOut, .freeze, .unfreeze, .nextGame, .endPeriod, .startClock, .stopClock,
            .abandon:
            break
        }
        return .object(fields)
    }

    /// A member that is missing or wrong.
    package struct Damage: Error, Sendable, Hashable {
        package var field: String
        package var text: String

        package init(field: String, text: String) { (self.field, self.text) = (field, text) }
    }

    /// Reads an action; members that it does not have are ignored.
    package init(_ node: JSONNode) throws(Damage) {
        guard let kind = node["type"]?.string.flatMap(Kind.init) else {
            throw Damage(
                field: "type", text: "must be one of: \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        switch kind {
        case .start: self = .start
        case .point: self = .point(try Self.side(node), count: try Self.count(node))
        case .correct: self = .correct(try Self.side(node), count: try Self.count(node))
        case .changeServer: self = .changeServer
        case .setServer: self = .setServer(MatchServer(try Self.side(node), player: try Self.player(node) ?? 0))
        case .timeOut: self = .timeOut(try Self.side(node))
        case .endTimeOut: self = .endTimeOut
        case .appeal: self = .appeal(try Self.side(node), try Self.value(node, "outcome") ?? .used)
        case .card:
            guard let card: MatchCard = try Self.value(node, "card") else { throw Self.oneOf("card", MatchCard.self) }
            self = .card(try Self.side(node), card, player: try Self.player(node))
        case .injury: self = .injury(try Self.side(node), player: try Self.player(node))
        case .freeze: self = .freeze
        case .unfreeze: self = .unfreeze
        case .setState: self = .setState(try MatchScore(node))
        case .nextGame: self = .nextGame
        case .endPeriod: self = .endPeriod
        case .startClock: self = .startClock
        case .stopClock: self = .stopClock
        case .setClock:
            self = .setClock(try Self.integer(node, "seconds", 0...MatchRules.Limits.periodSeconds.upperBound))
        case .note:
            guard let text = node["text"]?.string, !text.isEmpty, text.count <= Self.maximumNoteLength else {
                throw Damage(field: "text", text: "must have 1 to \(Self.maximumNoteLength) characters")
            }
            self = .note(text)
        case .walkover: self = .walkover(winner: try Self.side(node))
        case .abandon: self = .abandon
        }
    }

    private static func side(_ node: JSONNode) throws(Damage) -> MatchSide {
        guard let side: MatchSide = try value(node, "side") else { throw oneOf("side", MatchSide.self) }
        return side
    }

    private static func count(_ node: JSONNode) throws(Damage) -> Int {
        node["count"] == nil ? 1 : try integer(node, "count", 1...9)
    }

    private static func player(_ node: JSONNode) throws(Damage) -> Int? {
        guard let value = node["player"], value.value != .null else { return nil }
        return try integer(node, "player", 0...1)
    }

    private static func integer(_ node: JSONNode, _ field: String, _ range: ClosedRange<Int>) throws(Damage) -> Int {
        guard let value = node[field]?.integer, range.contains(value) else {
            throw Damage(field: field, text: "must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func value<Value: RawRepresentable<String> & CaseIterable>(
        _ node: JSONNode, _ field: String
    ) throws(Damage) -> Value? {
        guard let text = node[field], text.value != .null else { return nil }
        guard let value = text.string.flatMap(Value.init) else { throw oneOf(field, Value.self) }
        return value
    }

    private static func oneOf<Value: RawRepresentable<String> & CaseIterable>(
        _ field: String, _ type: Value.Type
    ) -> Damage {
        Damage(field: field, text: "must be one of: \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}

extension SidePair<Int> {
    /// The values of both sides, in order.
    package var json: JSONText { .array([.integer(a), .integer(b)]) }

    fileprivate init?(_ node: JSONNode?) {
        let values = node?.elements?.compactMap(\.integer) ?? []
        let range = 0...MatchScore.maximumPoints
        guard values.count == 2, values.allSatisfy(range.contains) else { return nil }
        self.init(values[0], values[1])
    }
}

extension MatchScore {
    fileprivate init(_ node: JSONNode) throws(MatchAction.Damage) {
        func damaged(_ field: String) -> MatchAction.Damage {
            MatchAction.Damage(field: field, text: "must have two integers from 0 to \(Self.maximumPoints)")
        }
        guard let points = SidePair(node["points"]) else { throw damaged("points") }
        var finished: [SidePair<Int>] = []
        for entry in (node["finished"]?.elements ?? []).prefix(MatchRules.Limits.listCount * 2 + 1) {
            guard let result = SidePair(entry) else { throw damaged("finished") }
            finished.append(result)
        }
        let games = node["games"]
        guard let pair = games == nil ? SidePair(both: 0) : SidePair(games) else { throw damaged("games") }
        self.init(finished: finished, points: points, games: pair)
    }
}
