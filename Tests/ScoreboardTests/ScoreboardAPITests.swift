import Accounts
import Database
import DatabaseTestSupport
import Events
import Features
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Scoreboard

/// Players and matches over HTTP, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ScoreboardAPITests {
    private let site: ScoreSite

    init() async throws { site = try await ScoreSite() }

    private var station: TestStation { site.station }
    private var channel: String { site.channel }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, _ fields: HTTPFields = ScoreSite.machine
    ) async throws -> ScoreSite.Answer {
        let isObject = body?.hasPrefix("{") ?? false
        return try await site.send(
            method, path, body, type: isObject ? "application/json" : "application/x-www-form-urlencoded", fields)
    }

    private func newMatch(
        _ more: String = "", a: String = #"["Ana"]"#, b: String = #"["Berta"]"#, rules: String = "racquetball3"
    ) async throws -> ScoreSite.Answer {
        try await send(
            .post, "/api/v1/matches",
            #"{"channel": "\#(channel)", "rules": "\#(rules)", "sideA": \#(a), "sideB": \#(b), "firstServer": "a1"\#(more)}"#
        )
    }

    private func match() async throws -> String {
        try #require(try await newMatch().json?["match"]?.string)
    }

    private func events(
        _ id: String, _ events: String, more: String = "", _ fields: HTTPFields = ScoreSite.machine
    ) async throws -> ScoreSite.Answer {
        try await send(.post, "/api/v1/matches/\(id)/events", #"{"events": [\#(events)]\#(more)}"#, fields)
    }

    private func points(_ board: JSONNode?) -> [Int] {
        board?["sides"]?.elements?.compactMap { $0["points"]?.integer } ?? []
    }

    private static let start = #"{"type": "start"}"#
    private static func point(_ side: String, id: String? = nil) -> String {
        #"{"type": "point", "side": "\#(side)"\#(id.map { #", "id": "\#($0)""# } ?? "")}"#
    }

    // MARK: Keeping the score

    @Test func aMatchIsKeptAndShown() async throws {
        let id = try await match()
        let begun = try await events(id, "\(Self.start), \(Self.point("a")), \(Self.point("b"))")
        #expect(begun.status == 200 && points(begun.json) == [1, 1] && begun.json?["sequence"]?.integer == 3)
        let shown = try await send(.get, "/api/v1/channels/\(channel)/scoreboard", nil, [:])
        #expect(points(shown.json?["items"]?.elements?.last) == [1, 1])
        #expect(shown.json?["items"]?.elements?.map { $0["sequence"]?.integer } == [1, 2, 3])
        let undone = try await events(id, #"{"type": "undo"}"#)
        #expect(points(undone.json) == [1, 0])
        let log = try await send(.get, "/api/v1/matches/\(id)/events?after=2", nil, [:])
        #expect(log.json?["items"]?.elements?.map { $0["event"]?["type"]?.string } == ["point", "amend"])
        #expect(log.json?["items"]?.elements?.map { $0["counts"]?.boolean } == [false, true])
        let points15 = Array(repeating: Self.point("a"), count: 14).joined(separator: ",")
        #expect(try await events(id, points15).json?["phase"]?.string == "gameOver")
        let second = #"{"type": "nextGame"}, "# + Array(repeating: Self.point("a"), count: 15).joined(separator: ",")
        let won = try await events(id, second)
        #expect(won.json?["winner"]?.string == "a" && won.json?["score"]?.string == "15-0, 15-0")
        let results = try await send(.get, "/api/v1/matches?show=results", nil, [:])
        #expect(results.json?["items"]?.elements?.map { $0["score"]?.string } == ["15-0, 15-0"])
        #expect(try await send(.get, "/api/v1/matches?show=open", nil, [:]).json?["items"]?.elements?.isEmpty == true)
    }

    /// A tablet without a network does not know the numbers that its events will get, and names them by their IDs.
    @Test func anEventIsLeftOutByTheIDThatItsSenderMade() async throws {
        let id = try await match()
        let own = "\(Self.start), \(Self.point("a", id: "mine"))"
        #expect(points(try await events(id, own).json) == [1, 0])
        // Another tablet comes between.
        #expect(points(try await events(id, Self.point("b")).json) == [1, 1])
        let undone = #"{"type": "amend", "of": "mine", "event": null}"#
        #expect(points(try await events(id, undone).json) == [0, 1])
        let together =
            "\(Self.point("a", id: "next")), "
            + #"{"type": "amend", "of": "next", "event": {"type": "point", "side": "b"}}"#
        #expect(points(try await events(id, together).json) == [0, 2])
        let unknown = try await events(
            id, #"{"type": "amend", "of": "nobody", "event": null}"#, more: #", "keepConflicts": true"#)
        #expect(unknown.status == 409 && unknown.text.contains("there is no such event to change"))
        let damaged = try await events(id, #"{"type": "amend", "of": 7, "event": null}"#)
        #expect(damaged.status == 422)
    }

    @Test func aTabletSaysThatItHasDrawnTheFirstServer() async throws {
        let made = try await newMatch(#", "drawn": true"#)
        #expect(made.json?["drawn"]?.boolean == true)
        #expect(made.json?["sides"]?.elements?.first?["serving"]?.integer == 0)
        #expect(try await newMatch().json?["drawn"]?.boolean == false)
    }

    /// A tablet whose answer was lost sends the same again, and more behind it.
    /// The limit that the operation declares for a parameter of the query counts before any handler.
    @Test func aCompetitionThatNoMatchCanHaveIsRefused() async throws {
        let path = "/api/v1/matches?competition="
        #expect(try await send(.get, path + String(repeating: "a", count: 120)).status == 200)
        let refusal = try await send(.get, path + String(repeating: "a", count: 121))
        #expect(refusal.status == 400)
        #expect(refusal.json?["detail"]?.string?.contains("\"competition\" is limited to 120") == true)
    }

    @Test func aRepeatedDeliveryCountsOnce() async throws {
        let id = try await match()
        #expect(try await events(id, #"{"type": "start", "id": "s"}"#, more: #", "expected": 0"#).status == 200)
        let batch = #"{"type": "start", "id": "s"}, "# + Self.point("a", id: "p1")
        for _ in 0..<3 { #expect(points(try await events(id, batch, more: #", "expected": 0"#).json) == [1, 0]) }
        let more = batch + ", " + Self.point("b", id: "p2")
        let answer = try await events(id, more, more: #", "expected": 0"#)
        #expect(points(answer.json) == [1, 1] && answer.json?["sequence"]?.integer == 3)
    }

    @Test func aRaceShowsWhatHappenedMeanwhile() async throws {
        let id = try await match()
        _ = try await events(id, Self.start)
        #expect(try await events(id, Self.point("a"), more: #", "expected": 1"#).status == 200)
        let race = try await events(id, Self.point("b"), more: #", "expected": 1"#)
        #expect(race.status == 409 && race.json?["sequence"]?.integer == 2)
        #expect(race.json?["events"]?.elements?.first?["event"]?["side"]?.string == "a")
        #expect(points(try await send(.get, "/api/v1/matches/\(id)").json) == [1, 0])
    }

    @Test func simultaneousPointsAllCount() async throws {
        let id = try await match()
        _ = try await events(id, Self.start)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<12 {
                group.addTask { try await events(id, Self.point(number.isMultiple(of: 2) ? "a" : "b")).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(points(try await send(.get, "/api/v1/matches/\(id)").json) == [6, 6])
    }

    /// One of two tablets was without a network while the other ended the game.
    @Test func whatIsNotPossibleAnyMoreIsKeptAsAConflict() async throws {
        let id = try await match()
        _ = try await events(id, Self.start)
        _ = try await events(id, Array(repeating: Self.point("a"), count: 15).joined(separator: ","))
        #expect(try await events(id, Self.point("b")).status == 409)
        let kept = try await events(id, Self.point("b", id: "late"), more: #", "keepConflicts": true"#)
        #expect(kept.status == 200 && kept.json?["conflicts"]?.elements?.first?["reason"]?.string == "gameIsOver")
        // The other tablet's last point was a mistake, so that the late one is possible.
        let amended = try await events(id, #"{"type": "amend", "sequence": 16, "event": null}"#)
        #expect(points(amended.json) == [14, 1] && amended.json?["conflicts"]?.elements?.isEmpty == true)
    }

    /// Each computes the match again.
    @Test func amendmentsAreLimited() async throws {
        let id = try await match()
        _ = try await events(id, Self.start)
        let undo = Array(repeating: #"{"type": "undo"}"#, count: 21).joined(separator: ",")
        #expect(try await events(id, undo).status == 422)
    }

    /// A new server with the same database, as after a kill.
    @Test func aScoreOutlivesTheServer() async throws {
        let id = try await match()
        _ = try await events(id, "\(Self.start), \(Self.point("a")), \(Self.point("a"))")
        _ = try await events(id, #"{"type": "amend", "sequence": 2, "event": {"type": "point", "side": "b"}}"#)
        let scoreboard = try await Scoreboard.open(
            station.fixture.database, program: "test", wallClock: station.fixture.clock.wallClock)
        let match = try await scoreboard.match(try #require(OpaqueID(parsing: id)))
        #expect([match.state.points.a, match.state.points.b] == [1, 1] && match.log.lastSequence == 4)
    }

    @Test func theTimelineFollowsCorrections() async throws {
        let id = try await match()
        let clock = station.fixture.clock
        for event in [Self.start, Self.point("a"), Self.point("a")] {
            _ = try await events(id, event)
            clock.advance(by: .seconds(10))
        }
        _ = try await events(id, #"{"type": "amend", "sequence": 2, "event": null}"#)
        let timeline = try await send(.get, "/api/v1/matches/\(id)/timeline", nil, [:])
        #expect(timeline.json?["items"]?.elements?.map(points) == [[0, 0], [1, 0]])
        let recent = try await send(.get, "/api/v1/channels/\(channel)/scoreboard?seconds=5", nil, [:])
        #expect(recent.json?["items"]?.elements?.map(points) == [[1, 0]], "the state that was shown then")
    }

    /// The scores of a recording: of all matches that were played meanwhile, with the one that was running before.
    @Test func aSpanOfTimeHasTheStatesOfAllItsMatches() async throws {
        let clock = station.fixture.clock
        let first = try await match()
        for event in [Self.start, Self.point("a")] {
            _ = try await events(first, event)
            clock.advance(by: .seconds(10))
        }
        let from = CivilTime(millisecondsSince1970: clock.wallClock.now().millisecondsSince1970).description
        clock.advance(by: .seconds(1))
        _ = try await events(first, #"{"type": "abandon"}"#)
        clock.advance(by: .seconds(600))
        let second = try await match()
        for event in [Self.start, Self.point("b")] {
            _ = try await events(second, event)
            clock.advance(by: .seconds(10))
        }
        func states(_ query: String) async throws -> [String] {
            let answer = try await send(.get, "/api/v1/channels/\(channel)/scoreboard?\(query)", nil, [:])
            return (answer.json?["items"]?.elements ?? []).map { board in
                "\(board["match"]?.string == first ? 1 : 2) \(points(board)) \(board["phase"]?.string ?? "")"
            }
        }
        #expect(
            try await states("from=\(from)&seconds=3600") == [
                "1 [1, 0] playing", "1 [1, 0] abandoned", "2 [0, 0] playing", "2 [0, 1] playing",
            ])
        #expect(try await states("from=\(from)&seconds=300") == ["1 [1, 0] playing", "1 [1, 0] abandoned"])
        #expect(try await states("from=2000-01-01T00:00:00Z&seconds=60").isEmpty)
        let refusal = try await send(.get, "/api/v1/channels/\(channel)/scoreboard?from=yesterday", nil, [:])
        #expect(refusal.status == 422)
    }

    /// Nothing has happened in the future, whatever a tablet's clock says.
    @Test func timesAreBounded() async throws {
        let id = try await match()
        let later = #"{"type": "start", "time": "2999-01-01T00:00:00Z"}"#
        let started = try await events(id, later)
        #expect(started.json?["startedAt"]?.string?.hasPrefix("2999") == false)
        let earlier = #"{"type": "point", "side": "a", "time": "1971-01-01T00:00:00Z"}"#
        #expect(try await events(id, earlier).json?["time"]?.string?.hasPrefix("1971") == false)
    }

    // MARK: Results

    /// Results as files: the winner first, names and countries of both, all of them or a selection.
    @Test func resultsAreFiles() async throws {
        let ana = try await player("Ana", "Núñez")
        var ids: [String] = []
        for (winner, rival) in [("b", "=Berta, \\\"B\\\""), ("a", "Carla")] {
            let made = try await newMatch(#", "competition": "Open""#, a: #"["\#(ana)"]"#, b: "[\"\(rival)\"]")
            let id = try #require(made.json?["match"]?.string)
            _ = try await events(id, Self.start)
            #expect(try await events(id, #"{"type": "walkover", "side": "\#(winner)"}"#).status == 200)
            ids.append(id)
        }
        let open = try await match()
        let table = try await send(.get, "/api/v1/matches?format=csv", nil, [:]).text
        let rows = table.split(whereSeparator: \.isNewline)
        #expect(rows.count == 3 && rows[0].contains(#""competition","winner","loser""#))
        #expect(rows[1].contains(#""Ana Núñez","Carla","ES""#))
        // A text that a spreadsheet would compute stays a text.
        #expect(!rows[2].contains("\"=Berta") && rows[2].contains("=Berta, \"\"B\"\""))
        let text = try await send(.get, "/api/v1/matches?format=txt&ids=\(ids[1]),\(open)", nil, [:]).text
        #expect(text.hasPrefix("Ana Núñez (ES) – Carla: \n") && text.split(whereSeparator: \.isNewline).count == 2)
        let listed = try await send(.get, "/api/v1/matches?ids=\(ids[0]),\(open)", nil, [:])
        #expect(listed.json?["items"]?.elements?.count == 2)
        #expect(try await send(.get, "/api/v1/matches?ids=", nil, [:]).json?["items"]?.elements?.isEmpty == true)
        let many = Array(repeating: ids[0], count: 101).joined(separator: ",")
        #expect(try await send(.get, "/api/v1/matches?ids=\(many)", nil, [:]).status == 422)
        // Results of a channel that the reader may not see are left out.
        #expect(
            try await send(.get, "/api/v1/matches?format=csv&channel=other", nil, [:]).text.split(
                whereSeparator: \.isNewline
            ).count == 1)
    }

    // MARK: Set-up

    @Test func aPlayerIsSelectedOnce() async throws {
        let ana = try await player("Ana", "Núñez")
        let twice = try await newMatch(a: #"["\#(ana)"]"#, b: #"["\#(ana)"]"#)
        #expect(twice.status == 409 && twice.text.contains("already selected"))
        let made = try await newMatch(a: #"["\#(ana)"]"#)
        let shown = made.json?["sides"]?.elements?.first?["players"]?.elements?.first
        #expect(shown?["name"]?.string == "Ana Núñez" && shown?["country"]?.string == "ES")
    }

    @Test(arguments: [
        ("[]", #"["B"]"#, "racquetball3", "", 422), (#"["A", "B"]"#, #"["C"]"#, "racquetball3", "", 422),
        (#"["A"]"#, #"["B"]"#, "quidditch", "", 422),
        (#"["A"]"#, #"["B"]"#, "racquetball3", #", "modality": "teams""#, 422),
        (#"["A"]"#, #"["B"]"#, "tennis", #", "scoring": "rally""#, 422),
        (#"["  "]"#, #"["B"]"#, "racquetball3", "", 422),
    ])
    func whatIsNoMatchIsRefused(a: String, b: String, rules: String, more: String, status: Int) async throws {
        #expect(try await newMatch(more, a: a, b: b, rules: rules).status == status)
    }

    @Test func whatIsNoEventIsRefusedAndNothingIsLost() async throws {
        let id = try await match()
        _ = try await events(id, Self.start)
        for body in [
            #"{"type": "goal"}"#, #"{"type": "point", "side": "c"}"#, #"7"#, #"{"type": "amend", "sequence": 99}"#,
            #"{"type": "point", "side": "a", "id": 7}"#, #"{"type": "point", "side": "a", "id": "\u0000"}"#,
            #"{"type": "point", "side": "a", "time": "now"}"#,
        ] {
            let answer = try await events(id, "\(Self.point("a")), \(body)")
            #expect((400..<500).contains(answer.status), "\(body): \(answer.text)")
        }
        #expect(try await events(id, "").status == 422)
        #expect(points(try await send(.get, "/api/v1/matches/\(id)").json) == [0, 0])
        #expect(try await send(.get, "/api/v1/matches/abc").status == 404)
    }

    @Test func aChannelHasALimitOfOpenMatches() async throws {
        for _ in 0..<Scoreboard.maximumOpenCount { #expect(try await newMatch().status == 201) }
        #expect(try await newMatch().status == 409)
    }

    // MARK: Players

    private func player(_ first: String, _ last: String) async throws -> String {
        let answer = try await send(
            .post, "/api/v1/players",
            #"{"firstName": "\#(first)", "lastName": "\#(last)", "gender": "female", "country": "es", "birthDate": "1999-04-30"}"#
        )
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(answer.json?["id"]?.string)
    }

    @Test func playersAreListedByLastName() async throws {
        for (first, last) in [("Zoe", "Álvarez"), ("Ana", "núñez"), ("Eva", "Núñez"), ("Ines", "Ortiz")] {
            _ = try await player(first, last)
        }
        let first = try await send(.get, "/api/v1/players?limit=3", nil, [:])
        let names = first.json?["items"]?.elements?.compactMap { $0["firstName"]?.string } ?? []
        let next = try #require(first.json?["next"]?.string)
        let second = try await send(.get, "/api/v1/players?limit=3&cursor=\(next)", nil, [:])
        #expect(
            Set(names + (second.json?["items"]?.elements?.compactMap { $0["firstName"]?.string } ?? [])).count == 4)
        let found = try await send(.get, "/api/v1/players?q=N%C3%BA%C3%B1", nil, [:])
        #expect(found.json?["items"]?.elements?.compactMap { $0["firstName"]?.string } == ["Ana", "Eva"])
    }

    @Test(arguments: [
        #"{"firstName": "A"}"#,
        #"{"firstName": "A", "lastName": "B", "gender": "x", "country": "ES", "birthDate": "1999-04-30"}"#,
        #"{"firstName": "A", "lastName": "B", "gender": "other", "country": "XX", "birthDate": "1999-04-30"}"#,
        #"{"firstName": "A", "lastName": "B", "gender": "other", "country": "ES", "birthDate": "2999-04-30"}"#,
        #"{"firstName": "A", "lastName": "B", "gender": "other", "country": "ES", "birthDate": "1999-02-30"}"#,
    ])
    func whatIsNoPlayerIsRefused(body: String) async throws {
        #expect(try await send(.post, "/api/v1/players", body).status == 422)
    }

    @Test func resultsShowAMendedNameAndKeepThatOfADeletedPlayer() async throws {
        let ana = try await player("Anna", "Núñez")
        let id = try #require(try await newMatch(a: #"["\#(ana)"]"#).json?["match"]?.string)
        var fields = ScoreSite.machine
        fields[.ifMatch] = try await send(.get, "/api/v1/players/\(ana)").tag
        #expect(try await send(.patch, "/api/v1/players/\(ana)", #"{"firstName": "Ana"}"#, fields).status == 200)
        #expect(try await send(.patch, "/api/v1/players/\(ana)", #"{"firstName": "Eva"}"#, fields).status == 412)
        #expect(try await send(.get, "/api/v1/matches/\(id)").text.contains("Ana Núñez"))
        #expect(try await send(.get, "/api/v1/matches?player=\(ana)").json?["items"]?.elements?.count == 1)
        #expect(try await send(.delete, "/api/v1/players/\(ana)").status == 204)
        #expect(try await send(.get, "/api/v1/matches/\(id)").text.contains("Ana Núñez"))
    }

    /// A station of two servers with one database: each has matches in memory.
    @Test func aMatchInMemoryGetsTheNamesThatAnotherServerHasChanged() async throws {
        let ana = try await player("Anna", "Núñez")
        let id = try #require(try await newMatch(a: #"["\#(ana)"]"#).json?["match"]?.string)
        _ = try await events(id, "\(Self.start), \(Self.point("a"))")
        let other = try await Scoreboard.open(
            station.fixture.database, program: "test", wallClock: station.fixture.clock.wallClock)
        let (match, who) = (try #require(OpaqueID(parsing: id)), try #require(OpaqueID(parsing: ana)))
        #expect(try await other.match(match).setup.sides.a.map(\.name) == ["Anna Núñez"])
        var fields = ScoreSite.machine
        fields[.ifMatch] = "*"
        #expect(try await send(.patch, "/api/v1/players/\(ana)", #"{"firstName": "Ana"}"#, fields).status == 200)
        #expect(try await other.match(match).setup.sides.a.map(\.name) == ["Ana Núñez"])
        try await other.removePlayer(who)
        let shown = try await send(.get, "/api/v1/matches/\(id)", nil, [:])
        let first = shown.json?["sides"]?.elements?.first?["players"]?.elements?.first
        #expect(first?["name"]?.string == "Ana Núñez" && first?["id"]?.string == nil && points(shown.json) == [1, 0])
    }

    /// Lists take the name of the rules from a column; matches of earlier versions have the text only.
    @Test func aListNamesTheRulesOfOldAndNewMatches() async throws {
        let old = try await match()
        _ = try await newMatch(rules: "tennis")
        try await station.fixture.database.write { db in
            try db.execute("UPDATE scoreMatch SET ruleName = NULL WHERE id = ?1", .text(old))
            try db.execute("UPDATE scoreMatch SET rules = '{}' WHERE id <> ?1", .text(old))
        }
        let listed = try await send(.get, "/api/v1/matches", nil, [:]).json?["items"]?.elements
        #expect(listed?.map { $0["rules"]?.string } == ["tennis", "racquetball3"])
    }

    // MARK: Permissions

    @Test func onlyRefereesKeepTheScore() async throws {
        let id = try await match()
        let session = try await station.fixture.session("ana")
        let member: HTTPFields = [.authorization: "Bearer \(session.secret.text)"]
        for fields in [member, [:]] {
            let expected = fields.isEmpty ? 401 : 403
            #expect(try await events(id, Self.start, fields).status == expected)
            #expect(try await send(.post, "/api/v1/players", "{}", fields).status == expected)
            #expect(try await send(.delete, "/api/v1/matches/\(id)", nil, fields).status == expected)
            let body = #"{"channel": "\#(channel)", "rules": "tennis", "sideA": ["A"], "sideB": ["B"]}"#
            #expect(try await send(.post, "/api/v1/matches", body, fields).status == expected)
        }
        #expect(try await send(.get, "/marcador/partidos/\(id)", nil, member).status == 403)
    }

    // MARK: Pages

    /// A browser in which an operator has logged in.
    private func browser() async throws -> (fields: HTTPFields, token: String) {
        let session = try await station.fixture.session("op", .operator)
        return (
            [.accept: "text/html", .cookie: "antena_session=\(session.secret.text)", .origin: "http://localhost"],
            CSRFToken.text(for: session.secret)
        )
    }

    @Test func boardsAndTheRefereesPageAreShown() async throws {
        let html = try await browser().fields
        let new = try await newMatch(a: #"["<b>Ana</b>"]"#)
        let id = try #require(new.json?["match"]?.string)
        let all = try await send(.get, "/marcador", nil, [.accept: "text/html"])
        #expect(all.status == 200 && all.text.contains("data-board=\"\(channel)\""))
        let board = try await send(.get, "/marcador/\(channel)?overlay=1", nil, [.accept: "text/html"])
        #expect(board.status == 200 && board.text.contains("score-page overlay"))
        let page = try await send(.get, "/marcador/partidos/\(id)", nil, html)
        #expect(page.status == 200 && !page.text.contains("<b>Ana</b>") && page.text.contains("&lt;b&gt;Ana"))
        #expect(try await send(.get, "/marcador/nowhere", nil, [.accept: "text/html"]).status == 404)
    }

    @Test func aMatchIsSetUpWithTheForm() async throws {
        let ana = try await player("Ana", "Núñez")
        let (fields, token) = try await browser()
        let form =
            "csrf=\(token)&channel=\(channel)&rules=racquetball3&a1=Ana+N%C3%BA%C3%B1ez&a2=&b1=Berta&b2=&firstServer=b1"
        let made = try await send(.post, "/marcador/partidos/nuevo", form, fields)
        #expect(made.status == 303, "\(made.text)")
        let listed = try await send(.get, "/api/v1/matches?player=\(ana)").json?["items"]?.elements
        #expect(listed?.first?["sideB"]?.elements?.first?.string == "Berta")
        let wrong = try await send(
            .post, "/marcador/partidos/nuevo", "csrf=\(token)&channel=\(channel)&rules=racquetball3&a1=A&b1=A", fields)
        #expect(wrong.status == 422 && wrong.text.contains("already selected"))
    }
}
