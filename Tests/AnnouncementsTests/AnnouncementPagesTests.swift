import Accounts
import Announcements
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
import TestSupport
import Testing

/// Announcements over HTTP, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct AnnouncementPagesTests {
    private let station: TestStation
    private let responder: GatewayResponder

    init() async throws {
        station = try await TestStation()
        responder = station.table.router().buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, _ fields: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = fields
        if let body {
            headers[.contentType] = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        }
        return try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    private func api(
        _ method: HTTPRequest.Method, _ path: String = "", _ body: String? = nil, ifMatch: String? = nil
    ) async throws -> (status: Int, json: JSONNode?, tag: String?) {
        var fields: HTTPFields = [.authorization: TestOperator.authorization]
        fields[.ifMatch] = ifMatch
        let answer = try await send(method, "/api/v1/announcements\(path)", body, fields)
        return (
            answer.status.code, try? JSONParser.parse(answer.body.readableBytesView), answer.headers[.eTag]
        )
    }

    private func page(_ path: String = "/", _ fields: HTTPFields = [:]) async throws -> String {
        var headers = fields
        headers[.accept] = "text/html"
        return String(buffer: try await send(.get, path, nil, headers).body)
    }

    @Test func anAnnouncementIsOnTopOfEveryPageWhileItLasts() async throws {
        let clock = station.fixture.clock
        let start = clock.wallClock.now()
        func time(_ hours: Double) -> String { Date(start + .seconds(hours * 3_600)).formatted(.iso8601) }
        let (status, new, tag) = try await api(
            .post, "", #"{"text": "**Ten** <b>o'clock</b>", "from": "\#(time(1))", "until": "\#(time(3))"}"#)
        #expect(status == 201 && new?["audience"]?.string == "everyone" && tag != nil)
        #expect(try await !page().contains("o&#39;clock"))
        clock.advance(by: .seconds(2 * 3_600))
        for path in ["/", "/directo", "/nowhere", "/cuenta/entrar"] {
            #expect(try await page(path).contains("<strong>Ten</strong> &lt;b&gt;o&#39;clock"), "\(path)")
        }
        #expect(try await api(.get, "/current").json?["items"]?.elements?.count == 1)
        clock.advance(by: .seconds(2 * 3_600))
        #expect(try await !page().contains("<strong>Ten</strong>"))
        #expect(try await api(.get).json?["items"]?.elements?.first?["shown"]?.boolean == false)
    }

    @Test func membersOnlyAreForMembers() async throws {
        _ = try await api(.post, "", #"{"text": "For us", "audience": "members"}"#)
        let session = try await station.fixture.session("ana")
        let cookie: HTTPFields = [.cookie: "antena_session=\(session.secret.text)"]
        #expect(try await !page().contains("For us"))
        #expect(try await page("/", cookie).contains("For us"))
        let strangers = try await send(.get, "/api/v1/announcements/current")
        #expect(!String(buffer: strangers.body).contains("For us"))
    }

    @Test func aVisitorDismissesItUntilItIsChanged() async throws {
        let new = try await api(.post, "", #"{"text": "Maintenance"}"#)
        let id = try #require(new.json?["id"]?.string)
        let shown = try await page("/directo")
        let name = try #require(shown.firstMatch(of: /name="name" value="([^"]+)"/)?.1)
        let answer = try await send(
            .post, "/anuncios/ocultar", "name=\(name)&next=%2Fdirecto", [.origin: "http://localhost"])
        #expect(answer.status == .seeOther && answer.headers[.location] == "/directo")
        let cookie = try #require(answer.headers[.setCookie]?.split(separator: ";").first)
        let fields: HTTPFields = [.cookie: String(cookie)]
        #expect(try await !page("/directo", fields).contains("Maintenance"))
        let changed = try await api(.patch, "/\(id)", #"{"text": "Maintenance at eleven"}"#, ifMatch: new.tag)
        #expect(changed.status == 200)
        #expect(try await page("/directo", fields).contains("Maintenance at eleven"))
        #expect(try await api(.patch, "/\(id)", #"{"text": "x"}"#, ifMatch: new.tag).status == 412)
    }

    /// Nobody is led to another site, and a cookie full of rubbish stops no page.
    @Test(arguments: ["//evil.example", "https://evil.example", "/api/v1/me"])
    func dismissingLeadsToAPageOfTheSite(next: String) async throws {
        _ = try await api(.post, "", #"{"text": "Maintenance"}"#)
        let form = "name=a%3Bb&next=\(next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        let answer = try await send(.post, "/anuncios/ocultar", form, [.origin: "http://localhost"])
        #expect(answer.headers[.location] == "/" && answer.headers[.setCookie] == nil)
        let rubbish: HTTPFields = [.cookie: "antena_dismissed=\(String(repeating: "x.", count: 3_000))"]
        #expect(try await page("/", rubbish).contains("Maintenance"))
    }

    @Test(arguments: [
        (#"{"text": " "}"#, 422), (#"{"text": "x", "from": "tomorrow"}"#, 422),
        (#"{"text": "x", "from": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}"#, 422),
        (#"{"text": "x", "audience": "nobody"}"#, 422), (#"{"text": "x", "colour": "red"}"#, 422),
    ])
    func whatIsWrongIsRefused(_ body: String, _ status: Int) async throws {
        #expect(try await api(.post, "", body).status == status)
        #expect(try await api(.get).json?["items"]?.elements?.isEmpty == true)
    }

    @Test func thereIsALimit() async throws {
        for number in 0..<Announcement.maximumCount {
            _ = try await api(.post, "", #"{"text": "number \#(number)"}"#)
        }
        #expect(try await api(.post, "", #"{"text": "one more"}"#).status == 409)
        let shown = try await api(.get, "/current").json?["items"]?.elements?.compactMap { $0["text"]?.string }
        #expect(shown == ["number 99", "number 98", "number 97"])
    }

    @Test func onlyOperatorsWrite() async throws {
        let session = try await station.fixture.session("ana")
        let member: HTTPFields = [.authorization: "Bearer \(session.secret.text)"]
        #expect(try await send(.post, "/api/v1/announcements", #"{"text": "x"}"#, member).status == .forbidden)
        #expect(try await send(.get, "/api/v1/announcements").status == .unauthorized)
        #expect(try await send(.post, "/operator/anuncios", "text=x", member).status == .forbidden)
    }

    @Test func whatAMemberHasWrittenIsInTheirExportAndStaysWithoutThem() async throws {
        let announcements = try station.parts.require(Announcements.self)
        let author = try await station.fixture.caller("op", .operator)
        var contents = AnnouncementChange()
        contents.text = "Written by a member"
        let written = try await announcements.create(contents, by: author)
        let user = try #require(author.principal.member?.id)
        #expect(try await announcements.announcements(by: user).map(\.id) == [written.id])
        try await station.fixture.accounts.removeAccount(user, by: TestAccounts.machine)
        #expect(try await announcements.announcement(written.id).author == nil)
    }
}
