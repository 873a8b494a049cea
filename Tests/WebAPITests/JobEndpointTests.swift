import APIClient
import Catalogue
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JobRunning
import Logging
import MediaCore
import NIOCore
import Testing
import VODLibrary

@testable import HTTPEndpoints
@testable import JSONDocument
@testable import WebAPI

@Suite(.eachEngine) struct JobEndpointTests {
    private let content = InMemoryContent()
    private let table: EndpointTable

    init() throws { table = EndpointTable.serving(content) }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, body: String? = nil, type: String? = "application/json",
        isOperator: Bool = true
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        if isOperator { headers[.authorization] = TestOperator.authorization }
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers,
                body: body.map { ByteBuffer(string: $0) })
        }
    }

    private func json(_ response: TestResponse) throws -> JSONNode {
        try JSONParser.parse(response.body.readableBytesView)
    }

    /// Queues a track, which stays queued because the library is not running.
    private func queuedJob() async throws -> String {
        let path = try content.folder.write(Data("sound".utf8), to: "media/audio/a.mp3")
        _ = try await content.folder.library().ingest(path: path)
        let list = try json(try await send(.get, "/api/v1/jobs"))
        return try #require(list["items"]?.elements?.first?["id"]?.string)
    }

    @Test func aJobHasAllFieldsThatAreDescribed() async throws {
        let id = try await queuedJob()
        let job = try json(try await send(.get, "/api/v1/jobs/\(id)"))
        let document = try json(try await send(.get, "/api/v1/openapi.json"))
        let described = document["components"]?["schemas"]?["Job"]?["properties"]?.members?.map(\.name) ?? []
        #expect(job.members?.map(\.name).sorted() == described.sorted())
        #expect(job.text("kind") == "track" && job.text("state") == "queued" && job.text("file") == "a.mp3")
        #expect(job.text("resource") == "/api/v1/tracks/a")
    }

    @Test(
        arguments: [
            (nil, nil), ("file:///home/ana/film.mp4", nil), ("http://a.org/b.mp4", "http://a.org/b.mp4"),
            ("https://a.org/b.mp4?signature=x#y", "https://a.org/b.mp4"),
        ] as [(String?, String?)])
    func addressesAreShownWithoutWhatIsNoViewersBusiness(_ origin: String?, _ shown: String?) {
        #expect(APIResources.publicAddress(origin) == shown)
    }

    @Test func ordersCancelsAndRetries() async throws {
        let id = try await queuedJob()
        #expect(
            try json(try await send(.patch, "/api/v1/jobs/\(id)", body: #"{"priority": 7}"#))["priority"]?.integer == 7)
        #expect(try json(try await send(.delete, "/api/v1/jobs/\(id)")).text("state") == "cancelled")
        #expect(try await send(.post, "/api/v1/jobs/\(id)/cancel", type: nil).status == .conflict)
        #expect(try await send(.patch, "/api/v1/jobs/\(id)", body: #"{"priority": 7}"#).status == .conflict)
        // The request has neither body nor Content-Type.
        #expect(try json(try await send(.post, "/api/v1/jobs/\(id)/retry", type: nil)).text("state") == "queued")
        #expect(try await send(.post, "/api/v1/jobs/\(id)/retry").status == .conflict)
    }

    @Test(
        arguments: [
            ("GET", "/api/v1/jobs/9", nil, 404), ("GET", "/api/v1/jobs/x", nil, 404),
            ("DELETE", "/api/v1/jobs/9", nil, 404),
            ("POST", "/api/v1/jobs/9/retry", "{}", 404), ("PATCH", "/api/v1/jobs/9", "{}", 400),
            ("PATCH", "/api/v1/jobs/9", #"{"priority": 101}"#, 400),
            ("PATCH", "/api/v1/jobs/9", #"{"priority": 1}"#, 404),
            ("PATCH", "/api/v1/jobs/9", String(repeating: " ", count: 2_000), 413),
            ("GET", "/api/v1/jobs?cursor=x", nil, 422), ("GET", "/api/v1/jobs?cursor=%20x", nil, 400),
        ] as [(String, String, String?, Int)])
    func refusals(_ method: String, _ path: String, _ body: String?, _ status: Int) async throws {
        let answer = try await send(try #require(HTTPRequest.Method(method)), path, body: body)
        #expect(answer.status.code == status)
        #expect(answer.headers[.contentType] == "application/problem+json")
    }

    @Test func changesNeedTheToken() async throws {
        for (method, path) in [
            ("DELETE", "/api/v1/jobs/1"), ("POST", "/api/v1/jobs/1/cancel"), ("POST", "/api/v1/jobs/1/retry"),
            ("PATCH", "/api/v1/jobs/1"),
        ] {
            let method = try #require(HTTPRequest.Method(method))
            #expect(try await send(method, path, isOperator: false).status == .unauthorized)
        }
    }

    /// The page also works without a script.
    @Test func theVideoClubShowsWhatIsInPreparation() async throws {
        #expect(
            String(buffer: try await send(.get, "/videoclub", isOperator: false).body).contains(
                /<section id="jobs"[^>]* hidden>/))
        let path = try content.folder.write(Data("<film>".utf8), to: "media/vod/a & b.mkv")
        _ = try await content.folder.library().ingest(path: path)
        let page = String(buffer: try await send(.get, "/videoclub", isOperator: false).body)
        #expect(!page.contains(/<section id="jobs"[^>]* hidden>/))
        #expect(page.contains("<span class=\"name\">a &amp; b.mkv</span> <span class=\"sub\">Waiting</span>"))
    }

    /// Behind a proxy on another machine, all connections have the proxy's address.
    @Test func listenersCountByTheClientThatAProxyNames() async throws {
        let proxied = RequestAuthority(
            token: TestOperator.token,
            proxies: TrustedProxies([try #require(AddressRange(parsing: "127.0.0.1"))], field: .xForwardedFor),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let library = content.folder.library()
        let table = EndpointTable(JobEndpoints(content: content).endpoints, authority: proxied)
        let client = AddressGroup(try SocketAddress(ipAddress: "203.0.113.9", port: 1))
        var listeners: [JobEventHub.Listener] = []
        for _ in 0..<JobEventHub.maximumListenerCountPerClient {
            listeners.append(try await library.listenToJobs(by: client, after: nil))
        }
        defer { for listener in listeners { listener.end() } }
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let statuses = try await Application(router: table.router()).test(.live) { http in
            var statuses: [Int] = []
            for address in ["203.0.113.9", "203.0.113.10", "198.51.100.1"] {
                // A request for the head needs a place and keeps none.
                let answer = try await http.execute(
                    uri: "/api/v1/jobs/events", method: .head, headers: [forwarded: address])
                statuses.append(answer.status.code)
            }
            return statuses
        }
        #expect(statuses.first.map { $0 >= 400 } == true && statuses.dropFirst() == [200, 200], "\(statuses)")
        #expect(library.jobListenerCount == listeners.count)
    }

    @Test(.timeLimit(.minutes(1))) func eventsBeginWithWhatIsNotDone() async throws {
        let id = try await queuedJob()
        let library = content.folder.library()
        try await Application(router: table.router()).test(.live) { client in
            // The library ends all listeners, so the response ends.
            async let answer = client.execute(uri: "/api/v1/jobs/events", method: .get)
            while library.jobListenerCount == 0 { await Task.yield() }
            let running = Task { try await library.run() }
            while try await library.job(number: try #require(Int64(id)))?.state != .probing { await Task.yield() }
            running.cancel()
            try await running.value
            let response = try await answer
            #expect(response.headers[.contentType] == "text/event-stream; charset=utf-8")
            let text = String(buffer: response.body)
            #expect(text.hasPrefix("retry: 2000\n\n"))
            #expect(text.contains("\nevent: job\ndata: {\"id\":\"\(id)\",\"kind\":\"track\""))
            #expect(text.contains(#""state":"queued""#))
        }
    }
}
