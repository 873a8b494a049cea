import APIClient
import Accounts
import Catalogue
import DatabaseTestSupport
import Features
import Foundation
import GatewayTestSupport
import HLSDelivery
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import MediaCore
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import APIContract
@testable import HTTPEndpoints
@testable import JSONDocument
@testable import WebAPI

/// All responses of the router, without media.
@Suite(.eachEngine) struct RouterTests {
    private let content = InMemoryContent()
    private let table: EndpointTable
    private let responder: GatewayResponder

    init() throws {
        let presets = [
            QualityPreset(
                name: "low", width: 426, height: 240, frameRate: 24, videoBitRate: 400_000, audioBitRate: 64_000)
        ]
        let titles = FakeTitles()
        // It is there, which is all that is asked.
        titles.set(.notReady(reason: "a test"), at: .title(id: "one"))
        let delivery = MediaDelivery(
            channels: RadioPublisher().directory, titles: titles, threadPool: .singleton)
        table = EndpointTable.serving(content) {
            $0.presets = { [presets] in presets }; $0.delivery = delivery
        }
        responder = table.router().buildResponder()
        let channels = [try InMemoryContent.channel("canalA", state: "live"), try InMemoryContent.channel("canalB")]
        content.state.withLock { state in
            state.channels = channels
            state.titles = [
                InMemoryContent.title("one", title: "One & <only>"), InMemoryContent.title("two", state: .transcoding),
                InMemoryContent.title("bad", state: .failed),
            ]
            state.tracks = [InMemoryContent.track("song")]
        }
    }

    @discardableResult
    private func send(
        _ method: HTTPRequest.Method = .get, _ path: String, headers: HTTPFields = [:], body: String? = nil,
        live: Bool = false
    ) async throws -> TestResponse {
        let application = Application(responder: responder)
        return try await application.test(live ? .live : .router) { client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    private func json(_ response: TestResponse) throws -> JSONNode {
        try JSONParser.parse(response.body.readableBytesView)
    }

    // MARK: Identifiers

    @Test(arguments: ["/api/v1/about", "/api/v1/titles/none", "/", "/none", "/%zz", "/healthz"])
    func eachAnswerNamesItsRequest(path: String) async throws {
        let name = try #require(HTTPField.Name("X-Request-ID"))
        let answer = try await send(.get, path, headers: [name: "chosen-by-a-stranger"])
        let identifier = try #require(answer.headers[name])
        #expect(identifier.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        guard answer.headers[.contentType] == "application/problem+json" else { return }
        #expect(try json(answer)["requestId"]?.string == identifier)
    }

    /// A file's path is the word of a program on the machine.
    @Test func aSessionImportsNoFilesOfTheMachine() async throws {
        let fixture = try await TestAccounts()
        let session = try await fixture.session("op", .operator)
        let table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts))
        let folder = try TemporaryDirectory(label: "import")
        let film = try folder.file("film.mp4")
        try Data("not a film".utf8).write(to: URL(filePath: film))
        func status(_ path: String, _ secret: String) async throws -> Int {
            let body = ByteBuffer(string: #"{"path": "\#(path)"}"#)
            return try await Application(router: table.router()).test(.router) { client in
                try await client.execute(
                    uri: "/api/v1/titles", method: .post,
                    headers: [.authorization: "Bearer \(secret)", .contentType: "application/json"], body: body)
            }.status.code
        }
        let token = try await fixture.token(session).secret.text
        for secret in [session.secret.text, token] {
            #expect(try await status(film, secret) == 403)
            #expect(try await status("/etc/none.mp4", secret) == 403, "the answer does not tell what there is")
        }
        #expect(try await status(film, TestOperator.token.text) != 403)
    }

    // MARK: API

    /// The endpoints of a server with every feature, and their description.
    private static func all() async throws -> (endpoints: [Endpoint], description: JSONNode) {
        let table = try await TestStation { $0.delivery = .forMemory(RadioPublisher()) }.table
        let answer = try await Application(router: table.router()).test(.router) { client in
            try await client.execute(uri: "/api/v1/openapi.json", method: .get)
        }
        return (table.endpoints, try JSONParser.parse(answer.body.readableBytesView))
    }

    @Test func everyEndpointOfTheAPIBelongsToAnOperation() async throws {
        let (endpoints, description) = try await Self.all()
        for endpoint in endpoints {
            #expect((endpoint.operation != nil) == endpoint.path.hasPrefix("/api/"), "\(endpoint.path)")
        }
        let names = endpoints.compactMap { $0.operation?.id }
        #expect(Set(names).count == names.count && names.count > 240)
        var described: Set<String> = []
        for path in description["paths"]?.members ?? [] {
            for method in path.value.members ?? [] { described.insert("\(method.name) \(path.name)") }
        }
        let answered = endpoints.filter { $0.operation != nil }
            .map { "\($0.method.rawValue.lowercased()) \($0.path)" }
        #expect(described == Set(answered))
        #expect(description["info"]?["version"]?.string == Product.version)
    }

    /// A parameter in the path that the operation does not declare would be in no client.
    @Test func operationsDeclareTheParametersOfTheirPaths() async throws {
        for operation in try await Self.all().endpoints.compactMap(\.operation) {
            let names = operation.path.matches(of: /\{(\w+)\}/).map { String($0.1) }
            let declared = operation.parameters.filter { $0.place == .path }.map(\.field.name)
            #expect(names.sorted() == declared.sorted(), "\(operation.id)")
        }
    }

    /// Who may send a request follows from the endpoint's rule.
    @Test func theDescriptionTellsWhoMaySendARequest() async throws {
        let (endpoints, description) = try await Self.all()
        func operation(_ method: String, _ path: String) -> JSONNode? { description["paths"]?[path]?[method] }
        func schemes(_ operation: JSONNode?) -> [String]? {
            operation?["security"]?.elements?.map { $0.members?.map(\.name).joined() ?? "" }
        }
        for endpoint in endpoints where endpoint.operation != nil {
            let described = operation(endpoint.method.rawValue.lowercased(), endpoint.path)
            let required = schemes(described).map { !$0.contains("") } ?? false
            #expect(required == !endpoint.rule.includesStrangers, "\(endpoint.method) \(endpoint.path)")
            #expect(described?["x-antena-permission"]?.string == endpoint.rule.tokenNeed.description)
        }
        #expect(schemes(operation("get", "/api/v1/titles")) == ["", "operatorToken", "token", "sessionCookie"])
        #expect(schemes(operation("delete", "/api/v1/titles/{id}")) == ["operatorToken", "token", "sessionCookie"])
        #expect(schemes(operation("get", "/api/v1/me")) == ["token", "sessionCookie"])
        #expect(schemes(operation("get", "/api/v1/openapi.json")) == nil)
        #expect(operation("patch", "/api/v1/me")?["x-antena-permission"]?.string == "session")
    }

    @Test func theDescriptionNamesTheProblemsThatFollowFromADeclaration() async throws {
        let description = try await Self.all().description
        let responses = description["paths"]?["/api/v1/announcements/{id}"]?["patch"]?["responses"]
        #expect(
            responses?.members?.map(\.name)
                == ["200", "400", "401", "403", "404", "412", "413", "415", "422", "428", "429", "default"])
        #expect(
            responses?["428"]?["description"]?.string == "The change needs If-Match (`precondition-needed`)")
    }

    @Test func openAPINamesEveryFieldOfTitlesAndTracks() async throws {
        let schemas = try json(try await send(.get, "/api/v1/openapi.json"))["components"]?["schemas"]
        for (schema, path) in [("Title", "titles/one"), ("Track", "tracks/song"), ("About", "about")] {
            let answer = try json(try await send(.get, "/api/v1/\(path)"))
            let described = schemas?[schema]?["properties"]?.members?.map(\.name) ?? []
            #expect(answer.members?.map(\.name).sorted() == described.sorted())
        }
    }

    @Test func listsAreItemsAndNext() async throws {
        let all = try json(try await send(.get, "/api/v1/titles"))
        #expect(all["items"]?.elements?.count == 3)
        #expect(all["next"]?.value == .null)
        let first = try json(try await send(.get, "/api/v1/titles?limit=2"))
        #expect(first["next"]?.string == "2")
        let second = try json(try await send(.get, "/api/v1/titles?limit=2&cursor=2"))
        #expect(second["items"]?.elements?.first?["error"]?.string == "<broken>")
        let found = try json(try await send(.get, "/api/v1/titles?q=one+%26"))
        #expect(found["items"]?.elements?.map { $0.text("id") } == ["one"])
    }

    @Test func titleAndTrackHaveTheAgreedFields() async throws {
        let title = try json(try await send(.get, "/api/v1/titles/one"))
        #expect(title["playlist"]?.string == "/vod/one/playlist.m3u8")
        #expect(title["manifest"]?.string == "/vod/one/manifest.mpd")
        #expect(title["poster"]?.value == .null)
        #expect(title["duration"]?.number == 3723.4)
        let track = try json(try await send(.get, "/api/v1/tracks/song"))
        #expect(track["file"]?.string == "/radio/song/file")
        #expect(track["artist"]?.string == "Artist")
        let channel = try json(try await send(.get, "/api/v1/channels/canalA"))
        #expect(channel["state"]?.string == "live")
        #expect(try json(try await send(.get, "/api/v1/presets"))["items"]?.elements?.count == 1)
    }

    @Test func aboutHasTheChartsNumbers() async throws {
        let about = try json(try await send(.get, "/api/v1/about"))
        #expect(about["name"]?.string == "Antena")
        #expect(about["liveChannels"]?["count"]?.integer == 2)
        #expect(about["channelsOnAir"]?.integer == 1)
        #expect(about["titles"]?["percentage"]?.integer == 25)
        let svg = try await send(.get, "/about/chart.svg")
        #expect(svg.headers[.contentType] == "image/svg+xml; charset=utf-8")
        #expect(
            String(buffer: svg.body).contains("Live channels: 2 (50 %), Video titles: 1 (25 %), Audio tracks: 1 (25 %)")
        )
    }

    @Test(arguments: [
        ("GET", "/nothing", 404), ("GET", "/api/v1/titles/none", 404), ("GET", "/api/v1/channels/none", 404),
        ("DELETE", "/api/v1/titles", 405), ("POST", "/", 405), ("GET", "/api/v1/titles?limit=0", 400),
        ("GET", "/api/v1/titles?limit=x", 400), ("GET", "/vod/one/poster.jpg", 404), ("GET", "/vod/no/poster.jpg", 404),
        ("GET", "/radio/song/file", 404), ("GET", "/videoclub?title=none", 404), ("POST", "/api/v1/titles", 401),
    ])
    func errorsAreProblemDetails(_ method: String, _ path: String, _ status: Int) async throws {
        let response = try await send(try #require(HTTPRequest.Method(method)), path)
        #expect(response.status.code == status)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(try json(response)["status"]?.integer == status)
        let type = try #require(ProblemType.standard(forStatus: status))
        #expect(try json(response)["type"]?.string == type.reference)
        #expect(try json(response)["title"]?.string == type.title)
        if status == 405 { #expect(response.headers[.allow]?.contains("GET") == true) }
    }

    @Test func operatorsIngestByPath() async throws {
        let headers: HTTPFields = [.contentType: "application/json", .authorization: TestOperator.authorization]
        let accepted = try await send(
            .post, "/api/v1/titles", headers: headers, body: #"{"path": "/a/b.mp4"}"#, live: true)
        #expect(accepted.status == .accepted)
        #expect(accepted.headers[.location] == "/api/v1/titles/new")
        #expect(content.state.withLock { $0.ingested } == ["/a/b.mp4"])
        let cases = [
            (#"{"path": "b.mp4"}"#, 400), (#"{"path": 1}"#, 400), ("{", 400), (#"{"path": "/a/b.txt"}"#, 422),
            (String(repeating: " ", count: 20_000), 413),
        ]
        for (body, status) in cases {
            let refused = try await send(.post, "/api/v1/titles", headers: headers, body: body, live: true)
            #expect(refused.status.code == status)
        }
        let simple = try await send(
            .post, "/api/v1/titles", headers: [.contentType: "text/plain", .authorization: TestOperator.authorization],
            body: "{}", live: true)
        #expect(simple.status == .unsupportedMediaType)
    }

    // MARK: Paths

    /// Both URLs are equivalent (RFC 3986 §6.2.2.2).
    @Test(arguments: [
        "/api/v1/titles/garden-of_life", "/api/v1/titles/garden%2Dof%5flife", "/api/v1/%74itles/g%61rden-of_life",
    ])
    func unreservedCharactersMayBeEncoded(path: String) async throws {
        content.state.withLock { $0.titles = [InMemoryContent.title("garden-of_life")] }
        #expect(try json(try await send(.get, path))["id"]?.string == "garden-of_life")
    }

    @Test func parametersAreDecodedOnce() async throws {
        let name = "Día 1/🎬 %2D"
        let channel = try InMemoryContent.channel(name)
        content.state.withLock { $0.channels = [channel] }
        let path = "/api/v1/channels/\(PathEncoding.component(name))"
        #expect(path == "/api/v1/channels/D%C3%ADa%201%2F%F0%9F%8E%AC%20%252D")
        #expect(try json(try await send(.get, path))["name"]?.string == name)
    }

    @Test(arguments: [
        ("/api/v1/titles/%", 400), ("/api/v1/titles/%2", 400), ("/%zz", 400), ("/api/v1/titles/%C3", 404),
    ])
    func wrongEncodingsAreRefused(path: String, status: Int) async throws {
        let answer = try await send(.get, path)
        #expect(answer.status.code == status)
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
    }

    /// Handlers decode the query themselves.
    @Test func queriesStayAsTheyAre() {
        #expect(PathEncoding.normalized(target: "/%7e%2f?q=%2D%") == "/~%2F?q=%2D%")
    }

    @Test(arguments: [
        ("DELETE", "/api/v1/jobs/events", "GET, HEAD"), ("PUT", "/api/v1/jobs/7", "GET, PATCH, DELETE, HEAD"),
        ("DELETE", "/api/v1/titles", "GET, POST, HEAD"),
        ("GET", "/api/v1/uploads/x", "OPTIONS, HEAD, PATCH, DELETE, POST"),
        ("POST", "/vod/x/poster.jpg", "GET, HEAD"),
    ])
    func allowListsTheMethodsOfOneRoute(method: String, path: String, allowed: String) async throws {
        let answer = try await send(try #require(HTTPRequest.Method(method)), path)
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == allowed)
    }

    // MARK: Operations

    @Test func healthReadinessAndMetrics() async throws {
        #expect(try await send(.get, "/healthz").status == .ok)
        #expect(try await send(.get, "/readyz").status == .ok)
        content.state.withLock { $0.unreadiness = "the catalogue is being opened" }
        #expect(try await send(.get, "/readyz").status == .serviceUnavailable)
        #expect(try await send(.get, "/metrics").status == .unauthorized)
        let answer = try await send(.get, "/metrics", headers: [.authorization: TestOperator.authorization])
        let metrics = String(buffer: answer.body)
        #expect(metrics.contains("\nantena_channels_live 1\n"))
        #expect(metrics.contains("# TYPE antena_channel_viewers gauge\nantena_channel_viewers{channel=\"canalA\"} 3\n"))
        #expect(metrics.contains("antena_channel_variant_viewers{channel=\"canalA\",variant=\"ts\"} 2\n"))
    }

    @Test func metricLabelsAreEscaped() {
        let family = MetricFamily(name: "a", help: "b\nc", kind: .counter, samples: [.init(["x": "\"\\\n"], 1.5)])
        let text = String(buffer: MetricsText.render([family]))
        #expect(text == "# HELP a b\\nc\n# TYPE a counter\na{x=\"\\\"\\\\\\n\"} 1.5\n")
    }

    // MARK: Files

    @Test func imagesHaveTagsAndTypes() async throws {
        let path = try content.folder.write(Data("0123456789".utf8), to: "data/covers/song.png")
        content.state.withLock { $0.tracks = [InMemoryContent.track("song", sourcePath: path, cover: path)] }
        let whole = try await send(.get, "/radio/song/cover")
        #expect(String(buffer: whole.body) == "0123456789")
        #expect(whole.headers[.contentType] == "image/png")
        let tag = try #require(whole.headers[.eTag])
        #expect(
            try await send(.get, "/radio/song/cover", headers: [.ifNoneMatch: "W/\"a\", \(tag)"]).status
                == .notModified)
        let head = try await send(.head, "/radio/song/cover")
        #expect(head.headers[.contentLength] == "10")
        #expect(head.body.readableBytes == 0)
        #expect(try await send(.get, "/radio/other/cover").status == .notFound)
    }

    /// A URL that may be cached forever never changes its content.
    @Test func sheetsAreImmutableUnderTheirTitlesRevisionOnly() async throws {
        let folder = "\(content.folder.path)/data/storyboards/one-r1"
        for name in ["storyboard.vtt", "storyboard-1.jpg"] {
            try content.folder.write(Data(name.utf8), to: "data/storyboards/one-r1/\(name)")
        }
        content.state.withLock { $0.titles[0].storyboard = folder }
        let path = "/vod/one/storyboard-1.jpg"
        let current = try await send(.get, "\(path)?v=r1")
        #expect(current.status == .ok && String(buffer: current.body) == "storyboard-1.jpg")
        #expect(current.headers[.cacheControl] == "public, max-age=31536000, s-maxage=50, immutable")
        let unversioned = try await send(.get, path)
        #expect(unversioned.status == .ok)
        #expect(unversioned.headers[.cacheControl] == "public, max-age=3600, s-maxage=50")
        for version in ["r0", "", "r1x"] {
            let other = try await send(.get, "\(path)?v=\(version)")
            #expect(other.status == .notFound && other.headers[.cacheControl] == "no-store", "\(version)")
        }
        let index = try await send(.get, "/vod/one/storyboard.vtt?v=r0")
        #expect(index.status == .ok && index.headers[.cacheControl] == "public, max-age=3600, s-maxage=50")
        let part = try await send(.get, "\(path)?v=r1", headers: [.range: "bytes=0-3"])
        #expect(part.status == .partialContent && String(buffer: part.body) == "stor")
    }

    // MARK: Names

    @Test func whatIsMissingComesWithTheNearestName() async throws {
        content.state.withLock { state in
            state.titles = ["garden-of-life", "big-buck-bunny"].map { InMemoryContent.title($0, title: $0) }
            state.tracks = [InMemoryContent.track("moonlight-sonata", title: "moonlight-sonata")]
        }
        for (path, text) in [
            (
                "titles/gardn-of-life",
                "there is no title \"gardn-of-life\"; GET /api/v1/titles lists them; did you mean "
                    + "\"garden-of-life\"?"
            ),
            ("tracks/moonligt-sonata", "did you mean \"moonlight-sonata\"?"),
            ("channels/canala", "there are: canalA, canalB; did you mean \"canalA\"?"),
        ] {
            let answer = try await send(
                .get, "/api/v1/\(path)", headers: [.authorization: TestOperator.authorization])
            #expect(answer.status == .notFound)
            // Others might learn the names of what is not for them.
            let stranger = try json(try await send(.get, "/api/v1/\(path)"))["detail"]?.string
            #expect(stranger?.contains("did you mean") == false)
            #expect(try json(answer)["detail"]?.string?.contains(text) == true, "\(String(buffer: answer.body))")
        }
        let unlike = try json(try await send(.get, "/api/v1/titles/zzzzzz"))["detail"]?.string
        #expect(unlike == "there is no title \"zzzzzz\"; GET /api/v1/titles lists them")
    }

    /// Paths in the catalogue are not trusted, because older servers took covers' paths from the worker.
    @Test func onlyTheLibrarysOwnFilesAreServedAsCovers() async throws {
        let secret = try content.folder.write(Data("secret".utf8), to: "data/keys/secret")
        let link = "\(content.folder.path)/data/covers/link.png"
        symlink(secret, link)
        for path in [secret, link, "\(content.folder.path)/data/covers/../keys/secret"] {
            content.state.withLock { $0.tracks = [InMemoryContent.track("song", sourcePath: path, cover: path)] }
            #expect(try await send(.get, "/radio/song/cover").status == .notFound, "\(path)")
        }
    }
}
