import APIContract
import APIDeclarations
import Accounts
import Catalogue
package import Events
package import HTTPEndpoints
import HLSDelivery
import HTTPTypes
import Hummingbird
import JSONDocument
import LiveChannels
import MediaCore
package import Scoreboard
package import Workflows

/// `/api/v1/players`, `/api/v1/matches` and the scoreboards of channels.
///
/// A referee keeps the score of the channels on which they have the permission `score`, and adds players. Matches are
/// visible to everybody who may see their channel.
package struct ScoreboardEndpoints: Sendable {
    let scoreboard: Scoreboard
    let channels: any ChannelContent
    let titles: any TitleContent
    let results: ResultPublishing
    /// `nil` in a program without events.
    let journal: EventJournal?
    let photos: PhotoUpload
    private let rendered = RenderedStates()

    /// Limit of the bytes of events: a whole match that was kept without a network.
    private static let maximumEventsByteCount = 512 * 1_024

    /// - Parameters:
    ///   - scoreboard: the players and matches.
    ///   - channels: the channels.
    ///   - titles: the recordings of channels.
    ///   - results: makes documents of results and sends them.
    ///   - journal: the changes of scores; `nil` in a program without events.
    ///   - photos: makes the photos of players.
    package init(
        scoreboard: Scoreboard, channels: any ChannelContent, titles: any TitleContent, results: ResultPublishing,
        journal: EventJournal?, photos: PhotoUpload
    ) {
        (self.scoreboard, self.channels, self.titles, self.results) = (scoreboard, channels, titles, results)
        (self.journal, self.photos) = (journal, photos)
    }

    static let reads = AccessRule.filtersChannels(
        reason: "matches of channels that the sender may not see are left out")
    static let scores = AccessRule.credentialed(
        .permissionForThing(.score), reason: "the handler asks for the permission on the match's channel")

    package var endpoints: [Endpoint] {
        [
            Endpoint(ScoreboardAPI.listMatchRules, .needs(.read, .site)) { _, _ in
                APIPage(MatchRuleFiles.all.map(Self.rules)).response()
            },
            Endpoint(ScoreboardAPI.createMatch, Self.scores, handler: createMatch),
            Endpoint(ScoreboardAPI.getMatch, Self.reads) { _, caller in
                response(try await readableMatch(caller))
            },
            Endpoint(ScoreboardAPI.deleteMatch, .needs(.manage, .system)) { _, caller in
                try await scoreboard.removeMatch(try caller.parameters.identifier(of: "match"))
                return Response(status: .noContent)
            },
            Endpoint(ScoreboardAPI.listMatchEvents, Self.reads, handler: events),
            Endpoint(ScoreboardAPI.addMatchEvents, Self.scores, handler: addEvents),
            Endpoint(ScoreboardAPI.getTimeline, Self.reads) { _, caller in
                let match = try await readableMatch(caller)
                return states(of: match, since: .unixEpoch)
            },
            Endpoint(ScoreboardAPI.getTitleScores, .title(.read), handler: track),
            Endpoint(ScoreboardAPI.getScoreboard, .channel(.read), handler: board),
        ] + playerEndpoints + resultEndpoints + changeEndpoints + spoilerEndpoints
    }

    // MARK: Matches

    func readableMatch(_ caller: GatewayRequestContext) async throws -> ScoreMatch {
        let match = try await scoreboard.match(try caller.parameters.identifier(of: "match"))
        // A match of a channel that the sender may not see is as if it were not there.
        guard caller.mayWatch(channel: match.setup.channel) else {
            throw Scoreboard.unknownMatch
        }
        return match
    }

    /// - Throws: `ProblemDetails` unless the sender keeps the score of some channel.
    func requireReferee(_ caller: GatewayRequestContext) throws {
        guard caller.scored(channels.channels()).isEmpty else { return }
        try caller.require(.score, Resource(.match))
    }

    private func requireScoring(_ channel: String, _ caller: GatewayRequestContext) throws {
        try caller.require(.score, caller.matches(onChannel: channel))
    }

    private func createMatch(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, NewMatchFields.self)
        let channel = try body.required(\.channel)
        try requireScoring(channel, caller)
        guard channels.channel(named: channel) != nil else {
            throw Refusal(.invalidField, "there is no channel \(Refusal.quoted(channel))", fields: ["channel"])
        }
        var new = NewMatch(
            channel: channel, rules: try body.required(\.rules),
            sides: SidePair(Self.entrants(try body.texts(\.sideA)), Self.entrants(try body.texts(\.sideB))))
        new.modality = try body.value(\.modality, MatchRules.Modality.self)
        new.scoring = try body.value(\.scoring, MatchRules.Scoring.self)
        new.firstServer = try body.text(\.firstServer).map(Self.server)
        new.isDrawn = try body.boolean(\.drawn)
        if let seed = try body.text(\.drawSeed) {
            guard let draw = FirstServeDraw(seed: seed) else {
                throw Refusal(
                    .invalidField,
                    "the field `drawSeed` must have \(FirstServeDraw.digitCount) hexadecimal digits in lower case",
                    fields: ["drawSeed"])
            }
            new.draw = draw
        }
        new.competition = try body.text(\.competition) ?? ""
        new.stage = try body.text(\.stage) ?? ""
        new.referee = try body.text(\.referee) ?? ""
        return response(try await scoreboard.createMatch(new), status: .created)
    }

    /// An ID of a player, or any other text, which is a name.
    private static func entrants(_ texts: [String]?) -> [NewMatch.Entrant] {
        (texts ?? []).map { text in OpaqueID(parsing: text).map(NewMatch.Entrant.player) ?? .name(text) }
    }

    /// - Throws: `Refusal` with `invalidField`.
    private static func server(_ text: String) throws(Refusal) -> MatchServer {
        guard let side = MatchSide(rawValue: String(text.prefix(1))), let number = Int(text.dropFirst()),
            (1...2).contains(number)
        else {
            throw Refusal(
                .invalidField, "the field `firstServer` must be one of: a1, a2, b1, b2", fields: ["firstServer"])
        }
        return MatchServer(side, player: number - 1)
    }

    private func response(_ match: ScoreMatch, status: HTTPResponse.Status = .ok) -> Response {
        BoardResource.board(match, today: scoreboard.today).response(status: status)
    }

    // MARK: Events

    private func events(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let match = try await readableMatch(caller)
        let after = try PageRequest.number("after", in: request, 0...Int.max) ?? 0
        return APIPage(match.log.entries.filter { $0.sequence > after }.map { Self.entry($0, of: match) }).response()
    }

    private func addEvents(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let id = try caller.parameters.identifier(of: "match")
        let channel = try await scoreboard.match(id).setup.channel
        try requireScoring(channel, caller)
        let body = try await BodyFields(
            request, NewMatchEventsFields.self, maximumByteCount: Self.maximumEventsByteCount)
        let events = try Self.newEvents(try body.elements(\.events, maximumCount: NewMatchEvent.maximumBatchCount))
        let expected = try body.integer(\.expected).map(Int64.init)
        do {
            let match = try await scoreboard.record(
                events, in: id, expecting: expected, keepsConflicts: try body.boolean(\.keepConflicts),
                by: caller.caller)
            return response(match)
        } catch let race as MatchRace {
            var problem = ProblemDetails(
                .conflict, "the match has other events since entry \(expected ?? 0); `events` has them",
                type: .conflict)
            problem.members = [
                .init(name: "sequence", value: .integer(Int(clamping: race.match.log.lastSequence))),
                .init(name: "events", value: .array(race.entries.map { Self.entry($0, of: race.match).json })),
            ]
            throw problem
        }
    }

    private static func newEvents(_ nodes: [JSONNode]) throws -> [NewMatchEvent] {
        guard !nodes.isEmpty else {
            throw Refusal.missing(["events"])
        }
        return try nodes.enumerated().map { index, node in
            do throws(MatchAction.Damage) {
                return try NewMatchEvent(node)
            } catch {
                let field = "events[\(index)].\(error.field)"
                throw Refusal(.invalidField, "the field `\(field)` \(error.text)", fields: [field])
            }
        }
    }

    static func entry(_ entry: MatchEntry, of match: ScoreMatch) -> APIObject<MatchEventFields> {
        let counts =
            switch entry.content {
            case .action(let action):
                match.log.action(entry) == action
                    && !match.log.conflicts.contains { $0.sequence == entry.sequence }
            case .amendment: true
            }
        return MatchEventFields.object {
            [
                $0.sequence(Int(clamping: entry.sequence)), $0.time(BoardResource.time(entry.time)),
                $0.event(entry.content.json), $0.counts(counts),
            ]
        }
    }

    // MARK: Boards

    private func board(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let seconds = try PageRequest.number("seconds", in: request, 0...86_400) ?? 120
        if let text = PageRequest.value(of: "from", in: request) {
            guard let from = ProgramTime(parsing: text[...])?.time else {
                throw ProblemDetails(
                    .unprocessableContent, "\"from\" must be a date like 2026-11-30T18:00:00.000Z")
            }
            let matches = try await scoreboard.matches(
                of: try caller.parameters.require("name"), from: from, to: from + .seconds(seconds))
            return APIPage(boards(matches, from: from, to: from + .seconds(seconds))).response()
        }
        guard let match = try await scoreboard.currentMatch(of: try caller.parameters.require("name")) else {
            return APIPage([APIObject<BoardFields>]()).response()
        }
        return states(of: match, since: scoreboard.now - .seconds(seconds))
    }

    /// The states of matches that were shown in a span of time, oldest first, with the one that was shown at its
    /// beginning.
    private func boards(
        _ matches: [ScoreMatch], from: WallClockTime, to: WallClockTime
    ) -> [APIObject<BoardFields>] {
        let today = scoreboard.today
        return ShownState.all(of: matches, from: from, to: to).prefix(RenderedStates.maximumCountOfAnswer).map {
            shown in
            BoardResource.board(
                shown.match, state: shown.state, sequence: shown.sequence, time: shown.time, today: today,
                listsConflicts: false)
        }
    }

    private func track(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let id = try caller.parameters.require("id")
        guard let title = try await titles.title(id: id) else { throw await titles.missing(title: id, caller) }
        guard let channel = RecordingName.channel(ofFile: title.file), caller.mayWatch(channel: channel) else {
            throw Refusal(.notFound, "the title is not a recording of a channel")
        }
        let track = try await ScoreTrack(of: channel, await titles.datedSpans(of: title), scoreboard)
        let content = Array(track.document.utf8)
        return .conditional(
            content, type: "text/vtt; charset=utf-8", tag: EntityTag(of: content), cacheControl: "private, no-cache",
            for: request)
    }

    /// The states of a match from a time on.
    private func states(of match: ScoreMatch, since time: WallClockTime) -> Response {
        let states = rendered.states(of: match, since: time, today: scoreboard.today)
        return JSONText.object([("items", .array(states)), ("next", .null)]).response()
    }

    static func summary(_ match: MatchSummary, isHidden: Bool) -> APIObject<MatchFields> {
        MatchFields.object {
            [
                $0.id(match.id.text), $0.channel(match.channel), $0.rules(match.rules),
                $0.phase(match.phase.rawValue), $0.sideA(match.names.a), $0.sideB(match.names.b),
                $0.countriesA(match.countries.a), $0.countriesB(match.countries.b),
                $0.score(isHidden ? "" : match.scoreText), $0.winner(isHidden ? nil : match.winner?.rawValue),
                $0.hidden(isHidden), $0.competition(match.competition),
                $0.createdAt(APIResources.time(match.createdAt)), $0.startedAt(APIResources.time(match.startedAt)),
                $0.endedAt(APIResources.time(match.endedAt)),
            ]
        }
    }

    private static func rules(_ rules: MatchRules) -> APIObject<MatchRulesFields> {
        MatchRulesFields.object {
            [
                $0.id(rules.id), $0.sportName(rules.sport["en"] ?? rules.id), $0.ruleName(rules.name["en"] ?? rules.id),
                $0.sports(rules.sport), $0.names(rules.name), $0.modalities(rules.modalities.map(\.rawValue)),
                $0.scoring(rules.scorings.map(\.rawValue)),
                $0.document(MatchRuleFiles.text(rules.id).map(JSONText.raw) ?? .null),
            ]
        }
    }
}

extension NewMatchEvent {
    /// Reads an event as a client sends it; one without an ID gets one.
    fileprivate init(_ node: JSONNode) throws(MatchAction.Damage) {
        guard node.members != nil else { throw MatchAction.Damage(field: "type", text: "is missing") }
        let id: String
        switch node["id"]?.value {
        case nil, .null?: id = OpaqueID().text
        case .string(let text)?: id = text
        default: throw MatchAction.Damage(field: "id", text: "must be a string")
        }
        var time: WallClockTime?
        if let given = node["time"], given.value != .null {
            guard let text = given.string, let parsed = ProgramTime(parsing: text[...]) else {
                throw MatchAction.Damage(field: "time", text: "must be a date like \"2026-11-21T22:00:00.250Z\"")
            }
            time = parsed.time
        }
        switch node["type"]?.string {
        case "undo": self.init(id: id, .undo, at: time)
        case "amend":
            let event = node["event"].flatMap { $0.value == .null ? nil : $0 }
            let action = try event.map { (node) throws(MatchAction.Damage) in try MatchAction(node) }
            if let target = node["of"], target.value != .null {
                guard let target = target.string, !target.isEmpty, target.count <= Self.maximumIDLength else {
                    throw MatchAction.Damage(field: "of", text: "must be the ID of an event")
                }
                self.init(id: id, .amendmentOfEvent(id: target, action), at: time)
                return
            }
            guard let sequence = node["sequence"]?.integer, sequence > 0 else {
                throw MatchAction.Damage(field: "sequence", text: "must be the number of an entry")
            }
            self.init(id: id, .amendment(of: Int64(sequence), action), at: time)
        default: self.init(id: id, .action(try MatchAction(node)), at: time)
        }
    }
}
