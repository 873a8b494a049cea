import Accounts
import DatabaseTestSupport
import Events
import Features
import GatewayTestSupport
import HTTPTypes
import JSONDocument
import Scoreboard
import TestSupport
import Testing

/// Results that somebody wants to watch first.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct SpoilerTests {
    private let site: ScoreSite
    /// The fields with which a member asks.
    private let member: HTTPFields

    init() async throws {
        site = try await ScoreSite()
        member = [.authorization: "Bearer \(try await site.station.fixture.session("eva").secret.text)"]
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, _ fields: HTTPFields
    ) async throws -> ScoreSite.Answer {
        try await site.send(method, path, body, type: "application/json", fields)
    }

    /// Plays a match that the first side wins.
    private func play() async throws -> String {
        let made = try await send(
            .post, "/api/v1/matches",
            #"{"channel": "\#(site.channel)", "rules": "racquetball3", "sideA": ["Ana"], "sideB": ["Berta"]}"#,
            ScoreSite.machine)
        let id = try #require(made.json?["match"]?.string)
        let game = Array(repeating: #"{"type": "point", "side": "a"}"#, count: 15).joined(separator: ",")
        let events = #"{"events": [{"type": "start"}, \#(game), {"type": "nextGame"}, \#(game)]}"#
        #expect(try await send(.post, "/api/v1/matches/\(id)/events", events, ScoreSite.machine).status == 200)
        return id
    }

    private func hide(_ hides: Bool, _ fields: HTTPFields) async throws -> Int {
        try await send(.put, "/api/v1/me/hidden-results", #"{"hidden": \#(hides)}"#, fields).status
    }

    private func winners(_ fields: HTTPFields) async throws -> [String?] {
        let items = try await send(.get, "/api/v1/matches?show=results", nil, fields).json?["items"]?.elements ?? []
        return items.map { $0["hidden"]?.boolean == true ? nil : $0["winner"]?.string }
    }

    private func changeCount(_ fields: HTTPFields) async throws -> Int {
        await site.station.parts[EventJournal.self]?.flush()
        return try await send(.get, "/api/v1/match-results/changes", nil, fields).json?["items"]?.elements?.count ?? 0
    }

    @Test func aMemberIsToldAResultOnceTheyHaveWatchedTheMatch() async throws {
        let (first, second) = (try await play(), try await play())
        #expect(try await winners(member) == ["a", "a"])
        #expect(try await hide(true, member) == 204)
        #expect(try await winners(member) == [nil, nil])
        #expect(try await winners([:]) == ["a", "a"])
        #expect(try await send(.put, "/api/v1/me/watched-matches/\(first)", nil, member).status == 204)
        #expect(try await winners(member) == [nil, "a"])
        let list = try await send(.get, "/marcador/partidos/resultados", nil, member).text
        #expect(list.matches(of: /<details class="spoiler">/).count == 1)
        let (seen, unseen) = (
            try await send(.get, "/marcador/partidos/\(first)/resultado", nil, member).text,
            try await send(.get, "/marcador/partidos/\(second)/resultado", nil, member).text
        )
        #expect(!seen.contains("spoiler") && unseen.contains("spoiler"))
    }

    @Test func theFeedOfAMemberLeavesOutWhatTheyWantToWatch() async throws {
        let id = try await play()
        let all = try await changeCount(member)
        #expect(all > 0)
        _ = try await hide(true, member)
        #expect(try await changeCount(member) == 0)
        #expect(try await changeCount([:]) == all)
        _ = try await send(.put, "/api/v1/me/watched-matches/\(id)", nil, member)
        #expect(try await changeCount(member) == all)
    }

    /// Nobody's evenings are recorded who has not asked for it, and nothing stays once they do not want it any more.
    @Test func whatSomebodyWatchesIsKnownOnlyWhileTheyHideResults() async throws {
        let id = try await play()
        _ = try await send(.put, "/api/v1/me/watched-matches/\(id)", nil, member)
        _ = try await hide(true, member)
        #expect(try await winners(member) == [nil])
        _ = try await send(.put, "/api/v1/me/watched-matches/\(id)", nil, member)
        _ = try await hide(false, member)
        _ = try await hide(true, member)
        #expect(try await winners(member) == [nil])
        let hidden = try await send(.get, "/api/v1/me/hidden-results", nil, member)
        #expect(hidden.json?["hidden"]?.boolean == true)
    }

    @Test func onlyMembersHaveThePreference() async throws {
        let id = try await play()
        #expect(try await hide(true, [:]) == 401)
        #expect(try await send(.put, "/api/v1/me/watched-matches/\(id)", nil, [:]).status == 401)
        _ = try await hide(true, member)
        #expect(try await send(.put, "/api/v1/me/watched-matches/\(OpaqueID().text)", nil, member).status == 404)
        #expect(try await send(.put, "/api/v1/me/hidden-results", "{}", member).status == 422)
    }

    /// The browser of a visitor remembers the matches itself.
    @Test func aVisitorsBrowserSaysWhichMatchesWereWatched() async throws {
        let id = try await play()
        func list(_ cookie: String) async throws -> Bool {
            try await send(.get, "/marcador/partidos/resultados", nil, [.cookie: cookie]).text.contains("spoiler")
        }
        #expect(try await list("antena_results=hidden"))
        #expect(try await list("antena_results=hidden; antena_watched=\(OpaqueID().text).x"))
        #expect(try await !list("antena_results=hidden; antena_watched=\(OpaqueID().text).\(id)"))
    }
}
