package import JSONDocument

extension MatchRules {
    /// Reads the rules of a file that the schema allows.
    ///
    /// - Throws: `JSONFileError` for a value that contradicts another one.
    package init(_ node: JSONNode, file: String) throws(JSONFileError) {
        func damaged(_ field: String, _ message: String) -> JSONFileError {
            JSONFileError(file: file, issues: [JSONIssue(position: node.position, field: field, message: message)])
        }
        guard let play = node["play"].flatMap(Play.init), let source = node["source"].flatMap(Source.init),
            let id = node["id"]?.string
        else { throw damaged("play", "is incomplete") }
        self.id = id
        (self.play, self.source) = (play, source)
        sport = Self.texts(node["sport"])
        name = Self.texts(node["name"])
        modalities = Self.values(node["modalities"])
        scorings = Self.values(node["scoring"])
        serveOrder = Self.value(node["serve"]?["order"]) ?? .none
        nextServe = Self.value(node["serve"]?["next"]) ?? .alternates
        decidingServe = Self.value(node["serve"]?["deciding"]) ?? .asOthers
        firstServeIsSingle = node["serve"]?["firstServeIsSingle"]?.boolean ?? false
        timeOuts = node["timeOuts"]?.elements?.map(Allowance.init) ?? []
        appeals = node["appeals"]?.elements?.map(Allowance.init) ?? []
        guard !modalities.isEmpty, !scorings.isEmpty, !sport.isEmpty, !name.isEmpty else {
            throw damaged("modalities", "must not be empty")
        }
        if case .games(let games) = play, let cap = games.cap, cap < games.targets.max() ?? 0 {
            throw damaged("play.cap", "must not be less than a target")
        }
    }

    private static func texts(_ node: JSONNode?) -> [String: String] {
        var texts: [String: String] = [:]
        for member in node?.members ?? [] { texts[member.name] = member.value.string }
        return texts
    }

    private static func value<Value: RawRepresentable<String>>(_ node: JSONNode?) -> Value? {
        node?.string.flatMap(Value.init)
    }

    private static func values<Value: RawRepresentable<String>>(_ node: JSONNode?) -> [Value] {
        node?.elements?.compactMap { $0.string.flatMap(Value.init) } ?? []
    }
}

extension MatchRules.Play {
    fileprivate init?(_ node: JSONNode) {
        let targets = node["targets"]?.elements?.compactMap(\.integer) ?? []
        switch node["kind"]?.string {
        case "games":
            guard let count = node["gamesToWin"]?.integer, !targets.isEmpty else { return nil }
            self = .games(
                .init(
                    gamesToWin: count, targets: targets, lead: node["lead"]?.integer ?? 1, cap: node["cap"]?.integer))
        case "sets":
            guard let count = node["setsToWin"]?.integer, let games = node["gamesPerSet"]?.integer, !targets.isEmpty
            else { return nil }
            self = .sets(.init(setsToWin: count, gamesPerSet: games, tieBreakTargets: targets))
        case "periods":
            guard let count = node["count"]?.integer, let seconds = node["seconds"]?.integer else { return nil }
            self = .periods(
                .init(
                    count: count, seconds: seconds, countsDown: node["clock"]?.string == "down",
                    pointValues: node["pointValues"]?.elements?.compactMap(\.integer) ?? [1],
                    overtimeSeconds: node["overtimeSeconds"]?.integer, overtimeCount: node["overtimeCount"]?.integer,
                    allowsDraw: node["allowsDraw"]?.boolean ?? false))
        default: return nil
        }
    }
}

extension MatchRules.Source {
    fileprivate init?(_ node: JSONNode) {
        guard let title = node["title"]?.string, let url = node["url"]?.string else { return nil }
        self.init(title: title, clauses: node["clauses"]?.string ?? "", url: url, note: node["note"]?.string)
    }
}

extension MatchRules.Allowance {
    fileprivate init(_ node: JSONNode) {
        self.init(
            count: node["count"]?.integer ?? 0, seconds: node["seconds"]?.integer,
            gameCount: max(1, node["games"]?.integer ?? 1))
    }
}
