import Accounts
import Catalogue
import DatabaseTestSupport
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
import VideoClub

@testable import WebAPI

/// The video club over HTTP, without sockets.
@Suite(.eitherEngine, .timeLimit(.minutes(5)))
struct ClubEndpointTests {
    private let fixture: TestAccounts
    private let club: VideoClub
    private let content = InMemoryContent()
    private let table: EndpointTable

    private static let prices: [String: Int64] = ["a": 1, "b": 3, "c": 8]

    init() async throws {
        fixture = try await TestAccounts { $0.apiRequestCount = 1_000_000 }
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        club = try await VideoClub.open(fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        let titles = [
            InMemoryContent.title("a"), InMemoryContent.title("b"), InMemoryContent.title("c"),
            InMemoryContent.title("bad", state: .failed), InMemoryContent.title("new", state: .transcoding),
        ]
        for title in titles { _ = try await catalogue.add(title) }
        content.state.withLock { $0.titles = titles }
        for (title, price) in Self.prices {
            _ = try await club.setTerms(of: title, from: [0], by: TestAccounts.machine) { $0.price = price }
        }
        table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts), with: club)
    }

    private func send(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        token: String? = nil, key: String? = nil
    ) async throws -> (status: Int, text: String, json: JSONNode?) {
        var headers: HTTPFields = [:]
        headers[.authorization] = token.map { "Bearer \($0)" } ?? TestOperator.authorization
        if body != nil { headers[.contentType] = "application/json" }
        if let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        let response = try await client.execute(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        return (
            Int(response.status.code), String(buffer: response.body),
            try? JSONParser.parse(response.body.readableBytesView)
        )
    }

    private func member(_ name: String) async throws -> String {
        try await fixture.token(try await fixture.session(name)).secret.text
    }

    // MARK: Random operations

    private struct Model {
        var balance: Int64 = 0
        var held: [String: (id: String, price: Int64, end: WallClockTime?)] = [:]
    }

    /// Seeds of the random sequences; more with `ANTENA_SEEDS=100`.
    private static let seeds: [UInt64] =
        Array(1...(ProcessInfo.processInfo.environment["ANTENA_SEEDS"].flatMap(UInt64.init) ?? 2))

    @Test(arguments: seeds) func anySequenceOfRequestsAgreesWithTheModel(seed: UInt64) async throws {
        let names = ["ana", "eva"]
        let tokens = [try await member("ana"), try await member("eva")]
        try await Application(router: table.router()).test(.router) { client in
            var (random, models) = (SeededGenerator(seed: seed), [Model(), Model()])
            for step in 0..<120 {
                let who = Int.random(in: 0...1, using: &random)
                let (name, token) = (names[who], tokens[who])
                let title = Self.prices.keys.sorted().randomElement(using: &random) ?? "a"
                let price = try #require(Self.prices[title])
                let repetitions = Int.random(in: 1...2, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0...2:
                    let amount = Int64.random(in: 1...6, using: &random)
                    for _ in 0..<repetitions {
                        let reply = try await send(
                            client, .post, "/api/v1/users/\(name)/credits", "{\"amount\": \(amount)}",
                            key: "give-\(step)")
                        #expect(reply.status == 201, "\(reply.text)")
                    }
                    models[who].balance += amount
                case 3...6:
                    let expected =
                        models[who].held[title] != nil ? 409 : models[who].balance < price ? 402 : 201
                    for _ in 0..<repetitions {
                        let reply = try await send(
                            client, .post, "/api/v1/titles/\(title)/rentals", token: token, key: "rent-\(step)")
                        #expect(reply.status == expected, "seed \(seed), step \(step): \(reply.text)")
                        guard reply.status == 201, models[who].held[title] == nil else { continue }
                        let id = try #require(reply.json?["rental"]?["id"]?.string)
                        models[who].held[title] = (id, price, nil)
                        models[who].balance -= price
                    }
                case 7:
                    guard let held = models[who].held[title] else { continue }
                    let reply = try await send(
                        client, .post, "/api/v1/rentals/\(held.id)/activation", token: token)
                    #expect(reply.status == 200 && reply.json?["state"]?.string == "activated", "\(reply.text)")
                    models[who].held[title]?.end = held.end ?? club.now + club.settings.timeToPlay
                case 8:
                    guard let held = models[who].held[title] else { continue }
                    for _ in 0..<repetitions {
                        let reply = try await send(client, .post, "/api/v1/rentals/\(held.id)/refund", "{}")
                        #expect(reply.status == 200, "\(reply.text)")
                    }
                    models[who].balance += held.price
                    models[who].held[title] = nil
                default:
                    fixture.clock.advance(by: .seconds(20 * 3_600))
                    if repetitions > 1 { try await club.sweep() }
                    for index in models.indices {
                        models[index].held = models[index].held.filter { $0.value.end.map { $0 > club.now } ?? true }
                    }
                }
                let credits = try await send(client, .get, "/api/v1/me/credits?limit=1", token: token)
                #expect(
                    credits.json?["balance"]?.integer == Int(models[who].balance), "seed \(seed), step \(step)")
            }
            let check = try await send(client, .get, "/api/v1/credits/check")
            #expect(check.json?["findings"]?.elements?.isEmpty == true, "\(check.text)")
            #expect(check.json?["credits"]?.integer == Int(models.reduce(0) { $0 + $1.balance }))
        }
    }

    // MARK: Gifts, tables, exports

    @Test func aGiftThatEndsIsShownWithItsEnd() async throws {
        let ana = try await member("ana")
        try await Application(router: table.router()).test(.router) { client in
            let path = "/api/v1/users/ana/credits"
            let gift = try await send(client, .post, path, #"{"amount": 3, "reason": "gift", "expiresIn": 86400}"#)
            #expect(gift.status == 201 && gift.json?["expiresAt"]?.string != nil, "\(gift.text)")
            #expect(try await send(client, .post, path, #"{"amount": 3, "expiresIn": 86400}"#).status == 422)
            #expect(
                try await send(client, .post, path, #"{"amount": 3, "reason": "expired"}"#).status == 422)
            let credits = try await send(client, .get, "/api/v1/me/credits", token: ana)
            let ends = credits.json?["expiring"]?.elements ?? []
            #expect(ends.count == 1 && ends.first?["amount"]?.integer == 3)
            #expect(ends.first?["expiresAt"]?.string == gift.json?["expiresAt"]?.string)
        }
    }

    /// More movements than a page, and a note that a spreadsheet would run.
    @Test func theHistoryIsATableWithoutFormulas() async throws {
        let ana = try await member("ana")
        let id = try await club.user(named: "ana")
        for number in 0..<150 {
            _ = try await club.give(
                1, .topUp, to: id, note: number == 0 ? "=1+1,\"é" : "n\(number)", key: nil, by: TestAccounts.machine)
        }
        try await Application(router: table.router()).test(.router) { client in
            for (path, token) in [("/api/v1/me/credits.csv", ana), ("/api/v1/users/ana/credits.csv", nil)] {
                let reply = try await send(client, .get, path, token: token)
                let lines = reply.text.split(separator: "\r\n")
                #expect(lines.count == 151)
                #expect(
                    lines.first == #""at","id","reason","amount","balance","note","rental","reverses","expires at""#)
                #expect(lines.last?.contains(#""top-up","1","1","'=1+1,""é","#) == true, "\(lines.last ?? "")")
            }
            let other = try await member("eva")
            #expect(try await send(client, .get, "/api/v1/users/ana/credits.csv", token: other).status == 403)
            #expect(try await send(client, .get, "/api/v1/users/nobody/credits.csv").status == 404)
        }
    }

    @Test func theExportHasCreditsRentalsAndVotes() async throws {
        let session = try await fixture.session("ana")
        let ana = try await fixture.token(session).secret.text
        try await Application(router: table.router()).test(.router) { client in
            _ = try await send(client, .post, "/api/v1/users/ana/credits", #"{"amount": 5}"#)
            _ = try await send(client, .post, "/api/v1/titles/b/rentals", token: ana, key: "k")
            _ = try await send(client, .put, "/api/v1/titles/b/vote", #"{"rating": 7}"#, token: ana)
            let response = try await client.execute(
                uri: "/api/v1/me/export", method: .get,
                headers: [.cookie: "antena_session=\(session.secret.text)"])
            let text = String(buffer: response.body)
            let data = try JSONParser.parse(response.body.readableBytesView)
            #expect(data["credits"]?.elements?.compactMap { $0["amount"]?.integer } == [-3, 5], "\(text)")
            #expect(data["rentals"]?.elements?.first?["title"]?.string == "b")
            #expect(data["votes"]?.elements?.first?["rating"]?.integer == 7)
        }
    }

    // MARK: Scopes

    @Test func aTokenForWatchingStartsNoRental() async throws {
        let session = try await fixture.session("ana")
        let full = try await fixture.token(session).secret.text
        let watching = try await fixture.token(session, Scope(actions: ActionSet([.read]))).secret.text
        let renting = try await fixture.token(session, Scope(actions: ActionSet([.read, .rent]))).secret.text
        try await Application(router: table.router()).test(.router) { client in
            _ = try await send(client, .post, "/api/v1/users/ana/credits", #"{"amount": 5}"#)
            let rented = try await send(client, .post, "/api/v1/titles/b/rentals", token: full)
            let id = try #require(rented.json?["rental"]?["id"]?.string)
            #expect(rented.json?["rental"]?["offline"]?["state"]?.string == "none", "\(rented.text)")
            for (token, status, state) in [(watching, 403, "rented"), (renting, 200, "activated")] {
                #expect(
                    try await send(client, .post, "/api/v1/rentals/\(id)/activation", token: token).status == status)
                let found = try await send(client, .get, "/api/v1/rentals/\(id)", token: full)
                #expect(found.json?["state"]?.string == state, "\(found.text)")
            }
        }
    }

    // MARK: Trailers

    @Test func aTrailerThatDoesNotPlaySaysWhy() async throws {
        let ana = try await member("ana")
        let unsigned = Application(router: table.router())
        try await unsigned.test(.router) { client in
            func trailer(_ title: String?) async throws -> (status: Int, text: String, json: JSONNode?) {
                let revision = try await club.terms(of: "a").revision
                _ = try await club.setTerms(of: "a", from: [revision], by: TestAccounts.machine) { $0.trailer = title }
                return try await send(client, .get, "/api/v1/titles/a/trailer", token: ana)
            }
            let none = try await trailer(nil)
            #expect(none.status == 404 && none.json?["type"]?.string?.hasSuffix("#no-trailer") == true, "\(none.text)")
            let damaged = try await trailer("bad")
            #expect(damaged.json?["type"]?.string?.hasSuffix("#trailer-damaged") == true, "\(damaged.text)")
            #expect(damaged.status == 404 && damaged.text.contains("broken"))
            let unready = try await trailer("new")
            #expect(unready.json?["type"]?.string?.hasSuffix("#no-trailer") == true, "\(unready.text)")
            _ = try await club.setTerms(of: "b", from: [1], by: TestAccounts.machine) { $0.price = 0 }
            let playing = try await trailer("b")
            #expect(playing.status == 200 && playing.json?["playlist"]?.string == "/vod/b/playlist.m3u8")
            let stranger = { try await client.execute(uri: "/api/v1/titles/a/trailer", method: .get).status.code }
            #expect(try await stranger() == 200)
            club.settings.trailers = .members
            #expect(try await stranger() == 401)
            #expect(try await send(client, .get, "/api/v1/titles/a/trailer", token: ana).status == 200)
        }
    }

    /// A server without `--public-url` makes the addresses of a Metalink from what the client has asked.
    @Test func aMetalinkHasTheAddressAtWhichItWasFound() throws {
        func origin(
            _ scheme: String, _ authority: String?, _ fields: HTTPFields = [:]
        ) throws -> String {
            try CopyFileEndpoints.origin(
                of: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/", headerFields: fields))
        }
        #expect(try origin("http", "tv.example.org:8080") == "http://tv.example.org:8080")
        #expect(try origin("https", "[2001:db8::7]:8443") == "https://[2001:db8::7]:8443")
        #expect(try origin("http", "evil\"><x") == "" && origin("https", nil) == "")
        // Nobody has named this proxy, so whether it speaks HTTPS is not believed, and nothing wrong is said either.
        let name = try #require(HTTPField.Name("X-Forwarded-Proto"))
        let problem = #expect(throws: ProblemDetails.self) { try origin("http", "tv.example.org", [name: "https"]) }
        #expect(problem?.status == .notFound && problem?.detail?.contains("--trusted-proxy") == true)
        // A trusted one has made the scheme `https`.
        #expect(try origin("https", "tv.example.org", [name: "https"]) == "https://tv.example.org")
        #expect(try origin("http", "tv.example.org", [name: "http"]) == "http://tv.example.org")
    }
}
