import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import WebAPI

/// Competitions over HTTP, without sockets. The clock begins on 2026-01-01.
@Suite(.eitherEngine, .timeLimit(.minutes(5)))
struct CompetitionEndpointTests {
    private let fixture: TestAccounts
    private let responder: GatewayResponder

    static let path = "/api/v1/competitions"
    static let rally =
        #"{"name": "Rally", "description": "Uno\nDos", "timeZone": "Europe/Madrid", "firstDay": "2026-03-28", "dayCount": 3}"#

    init() async throws {
        fixture = try await TestAccounts { $0.apiRequestCount = 1_000_000 }
        _ = try await Catalogue.open(fixture.database, program: "test")
        let community = try await Community.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        let table = EndpointTable.serving(
            InMemoryContent(),
            authority: TestOperator.authority(
                fixture.accounts, publicAddress: PublicAddress(parsing: "https://tv.example.org")), with: community)
        responder = table.router().buildResponder()
    }

    enum Sender: Hashable {
        case machine, stranger
        case token(String)
        case session(String)
    }

    struct Reply {
        var status: Int
        var text: String
        var json: JSONNode?
        var headers: HTTPFields
        var tag: String? { headers[.eTag] }

        subscript(name: String) -> JSONNode? { json?[name] }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, bytes: [UInt8]? = nil,
        type: String = "application/json", match: String? = nil, unless: String? = nil, by sender: Sender = .machine
    ) async throws -> Reply {
        var headers: HTTPFields = [:]
        switch sender {
        case .machine: headers[.authorization] = TestOperator.authorization
        case .stranger: break
        case .token(let token): headers[.authorization] = "Bearer \(token)"
        case .session(let session): headers[.cookie] = "__Host-antena_session=\(session)"
        }
        let content = body.map { ByteBuffer(string: $0) } ?? bytes.map { ByteBuffer(bytes: $0) }
        if content != nil { headers[.contentType] = type }
        headers[.ifMatch] = match
        headers[.ifNoneMatch] = unless
        let response = try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: content)
        }
        return Reply(
            status: Int(response.status.code), text: String(buffer: response.body),
            json: try? JSONParser.parse(response.body.readableBytesView), headers: response.headers)
    }

    func token(_ name: String, _ role: Role) async throws -> Sender {
        .token(try await fixture.token(try await fixture.session(name, role)).secret.text)
    }

    func made(_ body: String = rally) async throws -> String {
        let reply = try await send(.post, Self.path, body)
        #expect(reply.status == 201, "\(reply.text)")
        return try #require(reply["id"]?.string)
    }

    @Test func aCompetitionHasItsDaysAndStates() async throws {
        let made = try await send(.post, Self.path, Self.rally)
        let id = try #require(made["id"]?.string)
        #expect(made.status == 201 && made.headers[.location] == "\(Self.path)/\(id)" && made.tag == "\"1\"")
        let read = try await send(.get, "\(Self.path)/\(id)", by: .stranger)
        #expect(read.status == 200 && read.tag == "\"1\"" && read.text == made.text)
        #expect(read["name"]?.string == "Rally" && read["description"]?.string == "Uno\nDos")
        #expect(read["firstDay"]?.string == "2026-03-28" && read["timeZone"]?.string == "Europe/Madrid")
        #expect(read["state"]?.string == "closed" && read["image"]?.value == .null)
        let days = try #require(read["days"]?.elements)
        #expect(days.map { $0["date"]?.string } == ["2026-03-28", "2026-03-29", "2026-03-30"])
        #expect(
            days.map { $0["startsAt"]?.string }
                == ["2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"])
        #expect(read["endsAt"]?.string == "2026-03-30T22:00:00Z" && read["opensAt"]?.string == "2026-03-20T23:00:00Z")
        fixture.clock.set(try #require(HTTPDate.time(ofTimestamp: "2026-03-29T12:00:00Z")))
        let running = try await send(.get, "\(Self.path)/\(id)", by: .stranger)
        #expect(running["state"]?.string == "running")
        #expect(running["days"]?.elements?.map { $0["state"]?.string } == ["finished", "running", "open"])
    }

    @Test func listsHavePeriodsAndSearch() async throws {
        let ids = [
            try await made(#"{"name": "Otoño", "timeZone": "UTC", "firstDay": "2025-10-01"}"#),
            try await made(#"{"name": "Invierno", "timeZone": "UTC", "firstDay": "2026-01-01"}"#),
            try await made(#"{"name": "Primavera", "timeZone": "UTC", "firstDay": "2026-04-01"}"#),
        ]
        func found(_ query: String) async throws -> [String?] {
            let reply = try await send(.get, "\(Self.path)\(query)", by: .stranger)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["items"]?.elements?.allSatisfy { $0["days"] == nil } == true)
            return reply["items"]?.elements?.map { $0["id"]?.string } ?? []
        }
        #expect(try await found("") == ids)
        #expect(try await found("?period=current") == Array(ids.suffix(2)))
        #expect(try await found("?period=finished") == [ids[0]])
        #expect(try await found("?q=OTONO") == [ids[0]])
        #expect(try await found("?q=vera&period=current") == [ids[2]])
        let page = try await send(.get, "\(Self.path)?limit=2", by: .stranger)
        let next = try #require(page["next"]?.string)
        #expect(try await found("?limit=2&cursor=\(next)") == [ids[2]])
        #expect(try await send(.get, "\(Self.path)?period=past").status == 400)
        let wrong = try await send(.get, "\(Self.path)?cursor=abc")
        #expect(wrong.status == 422 && wrong["type"]?.string?.hasSuffix("#cursor-not-valid") == true)
    }

    @Test func aChangeNeedsTheVersion() async throws {
        let path = "\(Self.path)/\(try await made())"
        #expect(try await send(.patch, path, #"{"name": "x"}"#).status == 428)
        let changed = try await send(
            .patch, path, #"{"name": "Rallye", "dayCount": 2, "timeZone": null}"#, match: "\"1\"")
        #expect(changed.status == 200 && changed.tag == "\"2\"", "\(changed.text)")
        #expect(changed["name"]?.string == "Rallye" && changed["days"]?.elements?.count == 2)
        #expect(changed["timeZone"]?.string == "Europe/Madrid" && changed["description"]?.string == "Uno\nDos")
        #expect(try await send(.patch, path, #"{"name": "late"}"#, match: "\"1\"").status == 412)
        let emptied = try await send(.patch, path, #"{"description": null}"#, match: "*")
        #expect(emptied["description"]?.string == "")
        let missing = "\(Self.path)/\(OpaqueID())"
        #expect(try await send(.patch, missing, #"{"name": "x"}"#).status == 404)
        #expect(try await send(.delete, path, match: "\"1\"").status == 412)
        #expect(try await send(.delete, path).status == 204)
        #expect(try await send(.get, path).status == 404)
        #expect(try await send(.get, "\(Self.path)/none").status == 404)
    }

    @Test(arguments: [
        (#"{"name": "x", "timeZone": "UTC"}"#, 422, "firstDay"),
        (#"{"name": "x", "timeZone": "Nowhere/Land", "firstDay": "2026-01-01"}"#, 422, "Nowhere/Land"),
        (#"{"name": "x", "timeZone": "UTC", "firstDay": "2026-02-30"}"#, 422, "2026-02-30"),
        (#"{"name": "x", "timeZone": "UTC", "firstDay": "2026-01-01", "dayCount": 61}"#, 422, "61"),
        (#"{"name": "x", "timeZone": "UTC", "firstDay": "2026-01-01", "days": 1}"#, 422, "days"),
        (#"{"name": "", "timeZone": "UTC", "firstDay": "2026-01-01"}"#, 422, "name"), ("[]", 400, ""),
    ])
    func whatIsWrongIsNamed(_ body: String, _ status: Int, _ part: String) async throws {
        let reply = try await send(.post, Self.path, body)
        #expect(reply.status == status, "\(reply.text)")
        #expect(part.isEmpty || reply["detail"]?.string?.contains(part) == true, "\(reply.text)")
    }

    @Test func membersReadAndOperatorsWrite() async throws {
        let id = try await made()
        let changes: [(HTTPRequest.Method, String, String?)] = [
            (.post, Self.path, Self.rally), (.patch, "\(Self.path)/\(id)", #"{"name": "x"}"#),
            (.put, "\(Self.path)/\(id)/standings", #"{"header": [], "rows": []}"#),
            (.delete, "\(Self.path)/\(id)/image", nil), (.delete, "\(Self.path)/\(id)", nil),
        ]
        let senders = [
            (Sender.stranger, 401), (try await token("mia", .member), 403), (try await token("bea", .broadcaster), 403),
            (try await token("max", .moderator), 403),
        ]
        for (sender, status) in senders {
            for (method, path, body) in changes {
                let reply = try await send(method, path, body, match: "*", by: sender)
                #expect(reply.status == status, "\(method) \(path)")
            }
            for path in ["", "/\(id)", "/\(id)/standings", ".ics", "/\(id)/calendar.ics"] {
                #expect(try await send(.get, "\(Self.path)\(path)", by: sender).status == 200, "\(path)")
            }
        }
        let olga = try await token("olga", .operator)
        for (method, path, body) in changes {
            let reply = try await send(method, path, body, match: "*", by: olga)
            #expect((200..<300).contains(reply.status), "\(method) \(path): \(reply.text)")
        }
    }

    @Test func standingsAreJSONAndCSV() async throws {
        let path = "\(Self.path)/\(try await made())/standings"
        #expect(try await send(.get, path, by: .stranger).text == #"{"header":[],"rows":[]}"#)
        let csv = "Pos;Driver\r\n1;=Ana\r\n2\r\n"
        let put = try await send(.put, path, csv, type: "text/csv; charset=utf-8", match: "\"1\"")
        #expect(put.status == 200 && put.tag == "\"2\"", "\(put.text)")
        #expect(put.text == #"{"header":["Pos","Driver"],"rows":[["1","=Ana"],["2",""]]}"#)
        let read = try await send(.get, path, by: .stranger)
        #expect(read.text == put.text && read.tag == "\"2\"")
        let table = try await send(.get, "\(path)?format=csv", by: .stranger)
        #expect(table.text == "\"Pos\",\"Driver\"\r\n\"1\",\"'=Ana\"\r\n\"2\",\"\"\r\n")
        #expect(table.headers[.contentType]?.hasPrefix("text/csv") == true)
        // What was read can be sent back.
        #expect(try await send(.put, path, table.text, type: "text/csv").text == put.text)
        #expect(try await send(.put, path, read.text).text == put.text)
        #expect(try await send(.put, path, read.text, match: "\"1\"").status == 412)
        for (body, type, status) in [
            (#"{"header": ["a"], "rows": [["b", "c"]]}"#, "application/json", 422),
            (#"{"header": ["a"], "rows": [[1]]}"#, "application/json", 422),
            (#"{"header": ["a"]}"#, "application/json", 422), ("[]", "application/json", 422),
            ("a\r\n\"b", "text/csv", 422), ("a", "text/plain", 415),
            (String(repeating: "x", count: StandingsEndpoints.maximumBodyByteCount + 1), "text/csv", 413),
        ] {
            #expect(try await send(.put, path, body, type: type).status == status, "\(body.prefix(30))")
        }
        #expect(try await send(.put, path, "", type: "text/csv").text == #"{"header":[],"rows":[]}"#)
    }

    @Test func anImageIsSetShownAndRemoved() async throws {
        let path = "\(Self.path)/\(try await made())"
        #expect(try await send(.get, "\(path)/image", by: .stranger).status == 404)
        let put = try await send(
            .put, "\(path)/image", bytes: [0xFF, 0xD8, 0xFF, 7], type: "image/jpeg")
        let address = try #require(put["image"]?.string, "\(put.text)")
        #expect(put.status == 200 && address.hasPrefix("\(path)/image?v=") && put.tag == "\"2\"")
        let shown = try await send(.get, address, by: .stranger)
        #expect(shown.status == 200 && shown.headers[.contentType] == "image/jpeg")
        #expect(shown.headers[.cacheControl] == "public, max-age=3600")
        #expect(try await send(.get, address, unless: shown.tag, by: .stranger).status == 304)
        #expect(try await send(.put, "\(path)/image", "x", type: "text/plain").status == 415)
        #expect(try await send(.put, "\(Self.path)/\(OpaqueID())/image", "x", type: "image/png").status == 404)
        #expect(try await send(.delete, "\(path)/image").status == 204)
        #expect(try await send(.get, path)["image"]?.value == .null)
    }

    @Test func membersFollowCompetitions() async throws {
        let path = "\(Self.path)/\(try await made())"
        let session = try await fixture.session("mia")
        let mia = Sender.token(try await fixture.token(session).secret.text)
        #expect(try await send(.put, "\(path)/follow", by: .stranger).status == 401)
        #expect(try await send(.put, "\(path)/follow", by: .machine).status == 403)
        for _ in 0..<2 { #expect(try await send(.put, "\(path)/follow", by: mia).status == 204) }
        let list = try await send(.get, "/api/v1/me/competitions", by: mia)
        #expect(list["items"]?.elements?.map { $0["name"]?.string } == ["Rally"], "\(list.text)")
        #expect(list["items"]?.elements?.first?["followedAt"]?.string == "2026-01-01T00:00:00Z")
        let export = try await send(.get, "/api/v1/me/export", by: .session(session.secret.text))
        #expect(export["competitions"]?.elements?.map { $0["name"]?.string } == ["Rally"])
        for _ in 0..<2 { #expect(try await send(.delete, "\(path)/follow", by: mia).status == 204) }
        #expect(try await send(.get, "/api/v1/me/competitions", by: mia)["items"]?.elements?.count == 0)
        #expect(try await send(.put, "\(Self.path)/\(OpaqueID())/follow", by: mia).status == 404)
    }

    @Test func calendarsHaveOneEventForEachCompetition() async throws {
        let id = try await made()
        _ = try await made(#"{"name": "Otra, con coma", "timeZone": "UTC", "firstDay": "2026-04-01"}"#)
        let all = try await send(.get, "\(Self.path).ics", by: .stranger)
        #expect(all.status == 200 && all.headers[.contentType] == "text/calendar; charset=utf-8")
        let events = try CalendarDocumentTests.properties(of: all.text)
        #expect(events.filter { $0.name == "SUMMARY" }.map(\.value) == ["Rally", #"Otra\, con coma"#])
        let one = try await send(.get, "\(Self.path)/\(id)/calendar.ics", by: .stranger)
        let event = try CalendarDocumentTests.properties(of: one.text)
        func value(_ name: String) -> String? { event.first { $0.name == name }?.value }
        #expect(value("UID") == "competition-\(id)@antena")
        #expect(value("DTSTART") == "20260328" && value("DTEND") == "20260331")
        #expect(value("URL") == "https://tv.example.org/comunidad/\(id)")
        #expect(value("DESCRIPTION") == #"Uno\nDos"#)
        #expect(try await send(.get, "\(Self.path)/\(id)/calendar.ics", unless: one.tag, by: .stranger).status == 304)
        // The same event, after a change.
        fixture.clock.advance(by: .seconds(60))
        _ = try await send(.patch, "\(Self.path)/\(id)", #"{"firstDay": "2026-03-29"}"#, match: "*")
        let moved = try CalendarDocumentTests.properties(
            of: try await send(.get, "\(Self.path)/\(id)/calendar.ics", by: .stranger).text)
        #expect(moved.first { $0.name == "UID" }?.value == value("UID"))
        #expect(moved.first { $0.name == "SEQUENCE" }?.value == "1" && value("SEQUENCE") == "0")
        #expect(moved.first { $0.name == "LAST-MODIFIED" }?.value != value("LAST-MODIFIED"))
        #expect(try await send(.get, "\(Self.path)/\(OpaqueID())/calendar.ics").status == 404)
    }
}
