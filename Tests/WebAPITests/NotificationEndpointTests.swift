import Accounts
import Catalogue
import Community
import Crypto
import DatabaseTestSupport
import Features
import Forum
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaCore
import NIOCore
import Notifications
import Synchronization
import TestSupport
import Testing
import WebPush

@testable import WebAPI

/// Members' notifications, over HTTP.
@Suite(.eitherEngine, .timeLimit(.minutes(3)))
struct NotificationEndpointTests {
    private let fixture: TestAccounts
    private let community: Community
    private let notifications: Notifications
    private let table: EndpointTable

    private static let path = "/api/v1/me/notifications"

    init() async throws {
        fixture = try await TestAccounts { $0.apiRequestCount = 1_000_000 }
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        community = try await Community.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        _ = try await Forum.open(fixture.database, community: community, program: "test")
        notifications = try await Notifications.open(
            fixture.database, program: "test", accounts: fixture.accounts,
            key: SymmetricKey(size: .bits256), wallClock: fixture.clock.wallClock)
        community.observeDeeds { [notifications] deed, time, db in try notifications.note(deed, at: time, db) }
        let content = InMemoryContent()
        let titles = [InMemoryContent.title("a"), InMemoryContent.title("b")]
        for title in titles { _ = try await catalogue.add(title) }
        content.state.withLock { $0.titles = titles }
        table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts), with: community, notifications,
            PushKeyText(text: "BPublicKey"))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, by token: String?
    ) async throws -> (status: Int, json: JSONNode?) {
        var headers: HTTPFields = [:]
        if let token { headers[.authorization] = "Bearer \(token)" }
        if body != nil { headers[.contentType] = "application/json" }
        let response = try await Application(router: table.router()).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
        return (response.status.code, try? JSONParser.parse(response.body.readableBytesView))
    }

    /// Two members, of whom the second is told of two videos, an hour apart.
    private func tellTwice() async throws -> String {
        let ana = try await fixture.caller("ana")
        let session = try await fixture.session("leo")
        for title in ["a", "b"] {
            _ = try await community.publish(VideoContents(name: "video \(title)"), title: title, by: ana)
            try await notifications.tellAll()
            fixture.clock.advance(by: .seconds(3_600))
        }
        return try await fixture.token(session).secret.text
    }

    @Test func notificationsAreListedAndMarked() async throws {
        let leo = try await tellTwice()
        #expect(try await send(.get, Self.path, by: nil).status == 401)
        let first = try await send(.get, "\(Self.path)?limit=1", by: leo)
        #expect(first.status == 200 && first.json?["unread"]?.integer == 2)
        let item = try #require(first.json?["items"]?.elements?.first)
        #expect(item["kind"]?.string == "new-video" && item["group"]?.string == "newVideos")
        #expect(item["readAt"]?.value == .null && item["count"]?.integer == 1)
        #expect(item["items"]?.elements?.first?["video"]?["name"]?.string == "video b")
        #expect(item["page"]?.string?.hasPrefix("/comunidad/video/") == true)
        let next = try #require(first.json?["next"]?.string)
        let second = try await send(.get, "\(Self.path)?limit=1&cursor=\(next)", by: leo)
        #expect(second.json?["items"]?.elements?.count == 1 && second.json?["next"]?.value == .null)
        #expect(try await send(.get, "\(Self.path)?cursor=x", by: leo).status == 422)

        let id = try #require(item["id"]?.string)
        let marked = try await send(.post, "\(Self.path)/read", #"{"id": "\#(id)"}"#, by: leo)
        #expect(marked.status == 200 && marked.json?["unread"]?.integer == 1)
        #expect(try await send(.post, "\(Self.path)/read", #"{"id": "x"}"#, by: leo).status == 404)
        let both = #"{"id": "\#(id)", "through": "\#(id)"}"#
        #expect(try await send(.post, "\(Self.path)/read", both, by: leo).status == 422)
        // A program that has lost the name must not mark everything.
        for body in [#"{"through": null}"#, #"{"id": null}"#, #"{"id": ""}"#] {
            #expect(try await send(.post, "\(Self.path)/read", body, by: leo).status == 422, "\(body)")
        }
        #expect(try await send(.post, "\(Self.path)/read", "{}", by: leo).json?["unread"]?.integer == 0)

        // The first session has ended meanwhile.
        guard
            case .session(let session) = try await fixture.accounts.logIn(
                "leo", password: TestAccounts.password, from: TestAccounts.origin)
        else {
            Issue.record("a new account has no second factor")
            return
        }
        let export = try await Application(router: table.router()).test(.router) { client in
            try await client.execute(
                uri: "/api/v1/me/export", method: .get,
                headers: [.cookie: "antena_session=\(session.secret.text)"])
        }
        let data = try JSONParser.parse(export.body.readableBytesView)
        #expect(data["notifications"]?.elements?.count == 2)
        #expect(
            data["notificationPreferences"]?["aboutMe"]?.elements?.compactMap(\.string) == ["site", "push", "webhook"])
    }

    @Test func preferencesAreReplacedOrChanged() async throws {
        let leo = try await tellTwice()
        let path = "\(Self.path)/preferences"
        let present = try await send(.get, path, by: leo)
        #expect(present.json?["newVideos"]?.elements?.compactMap(\.string) == ["site", "push", "webhook"])
        let changed = try await send(.patch, path, #"{"followed": [], "aboutMe": ["mail", "site"]}"#, by: leo)
        #expect(changed.status == 200 && changed.json?["followed"]?.elements?.isEmpty == true)
        #expect(changed.json?["aboutMe"]?.elements?.compactMap(\.string) == ["site", "mail"])
        #expect(changed.json?["newVideos"]?.elements?.count == 3)
        #expect(try await send(.put, path, #"{"followed": []}"#, by: leo).status == 422)
        let whole = #"{"newVideos": [], "aboutMe": [], "followed": ["push"]}"#
        #expect(try await send(.put, path, whole, by: leo).json?["followed"]?.elements?.count == 1)
        for wrong in [#"{"other": []}"#, #"{"followed": ["fax"]}"#, #"{"followed": "site"}"#] {
            #expect(try await send(.patch, path, wrong, by: leo).status == 422, "\(wrong)")
        }
    }

    @Test func browsersAreAddedAndRemovedAndTheirAddressesAreNotShown() async throws {
        let leo = try await tellTwice()
        let path = "/api/v1/me/push-subscriptions"
        let key = Base64URL.text(Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation))
        let auth = Base64URL.text([UInt8](repeating: 1, count: 16))
        func body(_ endpoint: String, _ key: String) -> String {
            #"{"endpoint": "\#(endpoint)", "p256dh": "\#(key)", "auth": "\#(auth)"}"#
        }
        let added = try await send(.post, path, body("https://push.example.org/secret", key), by: leo)
        #expect(added.status == 201 && added.json?["service"]?.string == "push.example.org")
        let list = try await send(.get, path, by: leo)
        #expect(list.json?["publicKey"]?.string == "BPublicKey" && list.json?["items"]?.elements?.count == 1)
        #expect(list.json.map { !JSONText($0).rendered.contains("secret") } == true)
        for wrong in [body("http://push.example.org/", key), body("https://push.example.org/", "AAAA")] {
            #expect(try await send(.post, path, wrong, by: leo).status == 422, "\(wrong)")
        }
        let id = try #require(added.json?["id"]?.string)
        #expect(try await send(.delete, "\(path)/\(id)", by: leo).status == 204)
        #expect(try await send(.delete, "\(path)/\(id)", by: leo).status == 404)
    }

    @Test func aDeviceThatComesBackGetsWhatHasChanged() async throws {
        let leo = try await tellTwice()
        var headers: HTTPFields = [.authorization: "Bearer \(leo)"]
        headers[try #require(HTTPField.Name("Last-Event-ID"))] = "1"
        // The stream ends when the server stops, which is at once here.
        let text = try await Application(router: table.router()).test(.router) { [headers] client in
            async let response = client.execute(uri: "\(Self.path)/events", method: .get, headers: headers)
            let deadline = ContinuousClock.now + .seconds(30)
            while notifications.streamCount == 0, ContinuousClock.now < deadline { await Task.yield() }
            notifications.closeStreams()
            return String(buffer: try await response.body)
        }
        #expect(text.contains("id: 2\nevent: notifications\ndata: {"), "\(text)")
        #expect(text.contains("\"unread\":2") || text.contains("\"unread\": 2"), "\(text)")
        #expect(text.contains("video b") && !text.contains("video a"))
        #expect(try await send(.get, "\(Self.path)/events", by: leo).status == 503)
    }
}
