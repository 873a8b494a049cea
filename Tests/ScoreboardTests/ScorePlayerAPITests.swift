import Accounts
import Database
import DatabaseTestSupport
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

/// Players, their flags, photos and pages, and the draw of a match, over HTTP.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ScorePlayerAPITests {
    private let site: ScoreSite

    init() async throws { site = try await ScoreSite() }

    private var station: TestStation { site.station }
    private var channel: String { site.channel }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, type: String = "application/json",
        _ fields: HTTPFields = ScoreSite.machine
    ) async throws -> ScoreSite.Answer {
        try await site.send(method, path, body, type: type, fields)
    }

    private static func body(_ first: String, _ last: String, born: String = "1999-04-30") -> String {
        #"{"firstName": "\#(first)", "lastName": "\#(last)", "gender": "female", "country": "ES", "birthDate": "\#(born)"}"#
    }

    private func player(_ first: String, _ last: String, born: String = "1999-04-30") async throws -> String {
        let answer = try await send(.post, "/api/v1/players", Self.body(first, last, born: born))
        return try #require(answer.json?["id"]?.string, "\(answer.text)")
    }

    private func lastNames(_ query: String) async throws -> [String] {
        try await send(.get, "/api/v1/players\(query)").json?["items"]?.elements?.compactMap { $0["lastName"]?.string }
            ?? []
    }

    // MARK: Search

    @Test(arguments: [
        ("ana", ["Núñez", "Ortiz"]), ("N%C3%BA", ["Núñez", "Núñez"]), ("ana%20n", ["Núñez"]), ("n%20ANA", ["Núñez"]),
        ("nun", ["Núñez", "Núñez"]), ("tiz", []), ("%25", []), ("100%25%20%C3%A4_", ["100% Ä_b"]), ("%5C", []),
        ("_", []),
    ])
    func playersAreFoundByBeginningsOfTheirNames(query: String, expected: [String]) async throws {
        for (first, last) in [("Ana", "Núñez"), ("Eva", "Núñez"), ("Ana", "Ortiz"), ("Zoe", "100% Ä_b")] {
            _ = try await player(first, last)
        }
        #expect(try await lastNames("?q=\(query)") == expected)
    }

    @Test func accentsDoNotMoveAPlayerToTheEndOfTheList() async throws {
        for last in ["Zúñiga", "Álvarez", "Bueno", "Ñíguez", "Navas", "Ødegaard", "Öz", "Оля", "王"] {
            _ = try await player("A", last)
        }
        let listed = try await lastNames("")
        #expect(listed == ["Álvarez", "Bueno", "Navas", "Ñíguez", "Öz", "Zúñiga", "Ødegaard", "Оля", "王"])
    }

    /// A database of the version before has the old positions.
    @Test func playersOfAnEarlierVersionAreSortedAgain() async throws {
        for last in ["Bueno", "Álvarez"] { _ = try await player("A", last) }
        let database = try scoreboard().database
        try await database.write { db in
            try db.execute("UPDATE scorePlayer SET sortKey = 'álvarez a' WHERE lastName = 'Álvarez'")
        }
        #expect(try await lastNames("") == ["Bueno", "Álvarez"])
        try await database.write { db in try Scoreboard.sortPlayers(db) }
        #expect(try await lastNames("") == ["Álvarez", "Bueno"])
    }

    // MARK: Photos

    private func photo() throws -> AccountPhoto {
        try #require(AccountPhoto(jpeg: [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]))
    }

    private func scoreboard() throws -> Scoreboard {
        try #require(station.parts[Scoreboard.self])
    }

    @Test func aPhotoIsShownAndGoesWithItsPlayer() async throws {
        let id = try await player("Ana", "Núñez")
        let opaque = try #require(OpaqueID(parsing: id))
        #expect(try await send(.get, "/api/v1/players/\(id)/photo").status == 404)
        let made = try await send(
            .post, "/api/v1/matches",
            #"{"channel": "\#(channel)", "rules": "racquetball3", "sideA": ["\#(id)"], "sideB": ["Berta"]}"#)
        let match = try #require(made.json?["match"]?.string)
        func shown() async throws -> JSONNode? {
            try await send(.get, "/api/v1/matches/\(match)").json?["sides"]?.elements?.first?["players"]?.elements?
                .first?["photo"]
        }
        #expect(try await shown()?.value == .null)
        _ = try await scoreboard().setPhoto(try photo(), of: opaque)
        let path = try #require(try await send(.get, "/api/v1/players/\(id)").json?["photo"]?.string)
        #expect(path.hasPrefix("/api/v1/players/\(id)/photo?v="))
        #expect(try await shown()?.string == path)
        let answer = try await send(.get, path, nil, [:])
        #expect(answer.status == 200 && answer.headers[.contentType] == "image/jpeg")
        var known: HTTPFields = [:]
        known[.ifNoneMatch] = answer.headers[.eTag]
        #expect(try await send(.get, path, nil, known).status == 304)
        #expect(try await send(.delete, "/api/v1/players/\(id)").status == 204)
        #expect(try await send(.get, path).status == 404)
        #expect(try await scoreboard().photo(of: opaque) == nil)
        #expect(try await shown()?.value == .null)
    }

    @Test func aPhotoIsRemovedByReferees() async throws {
        let id = try await player("Ana", "Núñez")
        _ = try await scoreboard().setPhoto(try photo(), of: try #require(OpaqueID(parsing: id)))
        let stranger = try await station.fixture.session("eva")
        let fields: HTTPFields = [.authorization: "Bearer \(stranger.secret.text)"]
        #expect(try await send(.delete, "/api/v1/players/\(id)/photo", nil, fields).status == 403)
        #expect(try await send(.put, "/api/v1/players/\(id)/photo", "x", type: "image/png", fields).status == 403)
        #expect(try await send(.delete, "/api/v1/players/\(id)/photo").status == 204)
        #expect(try await send(.get, "/api/v1/players/\(id)/photo").status == 404)
        #expect(try await send(.put, "/api/v1/players/abc/photo", "x", type: "image/png").status == 404)
    }

    // MARK: Import

    private static let header = "firstName,lastName,gender,country,birthDate,extra\n"

    private func importing(_ rows: String, trial: Bool = false, _ fields: HTTPFields = ScoreSite.machine) async throws
        -> ScoreSite.Answer
    {
        try await send(
            .post, "/api/v1/players/import\(trial ? "?trial=true" : "")", Self.header + rows,
            type: "text/csv; charset=utf-8", fields)
    }

    @Test func aTableAddsPlayersOnce() async throws {
        _ = try await player("Ana", "Núñez")
        let rows =
            "ANA,núñez,female,ES,1999-04-30,\nAna,Núñez,female,ES,2001-01-01,\nEva,Ortiz,other,PT,1990-12-31,CD\n"
            + "Eva,Ortiz,other,PT,1990-12-31,again\n"
        let trial = try await importing(rows, trial: true)
        #expect(trial.json?["read"]?.integer == 4 && trial.json?["added"]?.integer == 2, "\(trial.text)")
        #expect(try await lastNames("") == ["Núñez"])
        let done = try await importing(rows)
        #expect(done.json?["added"]?.integer == 2)
        #expect(done.json?["duplicates"]?.elements?.compactMap { $0["line"]?.integer } == [2, 5])
        #expect(try await lastNames("") == ["Núñez", "Núñez", "Ortiz"])
        #expect(try await importing(rows).json?["added"]?.integer == 0)
    }

    @Test func nobodyIsAddedIfARowHasAProblem() async throws {
        let long = String(repeating: "x", count: ScorePlayer.maximumNameLength + 1)
        let answer = try await importing(
            "Ana,Núñez,female,ES,1999-04-30,\nEva,\(long),other,PT,1990-12-31,\nIda,Paz,male,XX,1990-12-31,\n"
                + "Leo,Paz,male,ES,2999-12-31,\n,Paz,male,ES,1999-12-31,\n")
        #expect(answer.status == 200 && answer.json?["added"]?.integer == 0 && answer.json?["read"]?.integer == 5)
        let told = answer.json?["problems"]?.elements?.map {
            "\($0["line"]?.integer ?? 0) \($0["column"]?.string ?? "")"
        }
        #expect(told == ["3 lastName", "4 country", "5 birthDate", "6 firstName"])
        #expect(try await lastNames("") == [])
    }

    @Test func whatIsNoImportIsRefused() async throws {
        #expect(try await send(.post, "/api/v1/players/import", "height\n1\n", type: "text/csv").status == 422)
        #expect(try await send(.post, "/api/v1/players/import", "{}").status == 415)
        #expect(try await send(.post, "/api/v1/players/import?trial=maybe", "a\n", type: "text/csv").status == 400)
        let member = try await station.fixture.session("eva")
        #expect(try await importing("", trial: false, [.authorization: "Bearer \(member.secret.text)"]).status == 403)
        let large = String(repeating: "x", count: PlayerTable.maximumByteCount)
        #expect(try await importing(large).status == 413)
    }

    // MARK: Draws

    private func match(_ more: String) async throws -> ScoreSite.Answer {
        try await send(
            .post, "/api/v1/matches",
            #"{"channel": "\#(channel)", "rules": "racquetball3", "sideA": ["Ana"], "sideB": ["Berta"]\#(more)}"#)
    }

    private func serving(_ board: JSONNode?) -> Int? {
        board?["sides"]?.elements?.firstIndex { $0["serving"]?.integer == 0 }
    }

    @Test func theSeedOfTheDrawIsRecorded() async throws {
        let odd = try await match(#", "drawSeed": "0000000000000001""#)
        #expect(odd.status == 201 && serving(odd.json) == 1 && odd.json?["drawn"]?.boolean == true)
        let id = try #require(odd.json?["match"]?.string)
        // As it was stored, and not as it was made.
        #expect(try await send(.get, "/api/v1/matches/\(id)").json?["drawSeed"]?.string == "0000000000000001")
        let even = try await match(#", "drawSeed": "1000000000000001", "firstServer": "a1", "drawn": true"#)
        #expect(even.status == 201 && serving(even.json) == 0)
        let own = try await match("")
        let seed = try #require(own.json?["drawSeed"]?.string.flatMap(FirstServeDraw.init(seed:)))
        #expect(serving(own.json) == (seed.side == .a ? 0 : 1))
        let chosen = try await match(#", "firstServer": "b1""#)
        #expect(chosen.json?["drawSeed"]?.value == .null && chosen.json?["drawn"]?.boolean == false)
        #expect(try await match(#", "drawSeed": "1000000000000001", "firstServer": "b1""#).status == 422)
        #expect(try await match(#", "drawSeed": "heads""#).status == 422)
    }

    // MARK: Flags

    @Test func everyCountryHasAFlagOrAPlaceholder() async throws {
        let page = try await send(.get, "/marcador", nil, [.accept: "text/html"])
        let path = try #require(page.text.firstMatch(of: /\/site\/[^\/"]+\/flags\//)?.0)
        for code in Countries.codes {
            let flag = try await send(.get, "\(path)\(code).svg", nil, [:])
            #expect(flag.status == 200 && flag.text.hasPrefix("<svg "), "\(code)")
            #expect(flag.text.utf8.count < 12_000, "\(code)")
        }
        let spain = try await send(.get, "\(path)ES.svg", nil, [:])
        #expect(spain.headers[.contentType] == "image/svg+xml" && !spain.text.contains("<text"))
        #expect(spain.headers[.cacheControl]?.contains("immutable") == true)
        // The package has no right drawing of this one.
        #expect(try await send(.get, "\(path)VI.svg", nil, [:]).text.contains(">VI</text>"))
        #expect(try await send(.get, "\(path)XX.svg", nil, [:]).status == 404)
        #expect(try await send(.get, "/site/old/flags/ES.svg", nil, [:]).status == 307)
    }

    // MARK: Pages

    private static let form = "application/x-www-form-urlencoded"
    private static let path = "/marcador/partidos/jugadores"

    private func browser(_ name: String, _ role: Role) async throws -> (fields: HTTPFields, token: String) {
        let session = try await station.fixture.session(name, role)
        return (
            [
                .accept: "text/html", .cookie: "antena_session=\(session.secret.text)", .origin: "http://localhost",
                .acceptLanguage: "es",
            ],
            CSRFToken.text(for: session.secret)
        )
    }

    @Test func playersAreListedMadeAndMendedOnTheirPage() async throws {
        let (fields, token) = try await browser("op", .operator)
        let sent =
            "csrf=\(token)&firstName=%3Cb%3EAna&lastName=N%C3%BA%C3%B1ez&gender=female&birthDate=1999-04-30&extra="
        let wrong = try await send(.post, "\(Self.path)/nuevo", sent + "&country=", type: Self.form, fields)
        #expect(wrong.status == 422 && wrong.text.contains("El país debe ser"), "\(wrong.text)")
        let made = try await send(.post, "\(Self.path)/nuevo", sent + "&country=ES", type: Self.form, fields)
        let place = try #require(made.headers[.location]?.split(separator: "?").first.map(String.init))
        #expect(made.status == 303 && place.hasPrefix("\(Self.path)/"))
        let list = try await send(.get, "\(Self.path)?q=n%C3%BA", nil, fields)
        #expect(list.text.contains("alt=\"España\"") && list.text.contains("&lt;b&gt;Ana"), "\(list.text)")
        #expect(list.text.contains("Edad: "))
        #expect(try await send(.get, "\(Self.path)?q=zz", nil, fields).text.contains("Ningún jugador se llama así"))
        let page = try await send(.get, place, nil, fields)
        #expect(page.text.contains("name=\"birthDate\"") && page.text.contains("data-crop="))
        let changed = try await send(
            .post, place, sent.replacing("1999-04-30", with: "1998-04-30") + "&country=PT&version=1", type: Self.form,
            fields)
        #expect(changed.status == 303, "\(changed.text)")
        let again = try await send(.post, place, sent + "&country=PT&version=1", type: Self.form, fields)
        #expect(again.status == 412)
        #expect(try await send(.post, "\(place)/borrar", "csrf=\(token)", type: Self.form, fields).status == 303)
        #expect(try await lastNames("") == [])
    }

    @Test func aTableIsCheckedOnThePage() async throws {
        let (fields, token) = try await browser("op", .operator)
        func upload(_ table: String, isTrial: Bool) async throws -> ScoreSite.Answer {
            let body =
                (isTrial ? "--b\r\nContent-Disposition: form-data; name=\"trial\"\r\n\r\n1\r\n" : "")
                + "--b\r\nContent-Disposition: form-data; name=\"table\"; filename=\"p.csv\"\r\n"
                + "Content-Type: text/csv\r\n\r\n\(table)\r\n--b--\r\n"
            return try await send(
                .post, "\(Self.path)/importar?csrf=\(token)", body, type: "multipart/form-data; boundary=b", fields)
        }
        let rows = "nombre;apellidos;género;país;nacimiento\nAna;Núñez;mujer;ES;1999-04-30\n"
        let wrong = try await upload(rows + "Eva;Paz;mujer;Spain;1999-04-30\n", isTrial: true)
        #expect(wrong.status == 422 && wrong.text.contains("Línea 3, País: El país debe ser"), "\(wrong.text)")
        let trial = try await upload(rows, isTrial: true)
        #expect(trial.status == 200 && trial.text.contains("Jugadores que se añadirían: 1"), "\(trial.text)")
        #expect(try await lastNames("") == [])
        #expect(try await upload(rows, isTrial: false).text.contains("Jugadores añadidos: 1"))
        #expect(try await lastNames("") == ["Núñez"])
        #expect(try await upload("altura\n1\n", isTrial: true).text.contains("no se puede leer como tabla"))
    }

    @Test func strangersAndMembersSeeNoPlayersPage() async throws {
        let id = try await player("Ana", "Núñez")
        let (member, token) = try await browser("eva", .member)
        #expect(try await send(.get, Self.path, nil, member).status == 403)
        #expect(try await send(.get, "\(Self.path)/\(id)", nil, member).status == 403)
        #expect(
            try await send(.post, "\(Self.path)/\(id)/linea", "csrf=\(token)&extra=x", type: Self.form, member).status
                == 403)
        #expect(try await send(.get, "\(Self.path)/importar", nil, member).status == 403)
    }

    @Test func aMatchIsSetUpWithPlayersThatWereChosenAndADraw() async throws {
        let (fields, token) = try await browser("op", .operator)
        // Two players of one name: only the ID tells them apart.
        _ = try await player("Ana", "Núñez")
        let second = try await player("Ana", "Núñez", born: "2001-01-01")
        let page = try await send(.get, "/marcador/partidos/nuevo", nil, fields)
        #expect(page.text.contains("value=\"racquetball5\" data-allowed=\"singles doubles\" data-serves"))
        #expect(page.text.contains("value=\"football\" data-allowed=\"teams\" required"))
        let made = try await send(
            .post, "/marcador/partidos/nuevo",
            "csrf=\(token)&channel=\(channel)&rules=racquetball3&modality=singles&a1=Ana+N%C3%BA%C3%B1ez+%C2%B7+2001-01-01"
                + "&a1Player=\(second)&b1=Berta&firstServer=&drawSeed=0000000000000001",
            type: Self.form, fields)
        #expect(made.status == 303, "\(made.text)")
        let id = try #require(made.headers[.location]?.split(separator: "/").last)
        let board = try await send(.get, "/api/v1/matches/\(id)").json
        #expect(board?["sides"]?.elements?.first?["players"]?.elements?.first?["id"]?.string == second)
        #expect(board?["drawSeed"]?.string == "0000000000000001" && serving(board) == 1)
    }
}
