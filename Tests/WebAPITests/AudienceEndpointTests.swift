import Accounts
import Catalogue
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import HTTPEndpoints

/// The answers of the API, the images and the pages about media for invited people, compared with those about paths
/// that do not exist.
@Suite(.eitherEngine) struct AudienceEndpointTests {
    private let fixture: TestAccounts
    private let content = InMemoryContent()
    private let responder: GatewayResponder

    init() async throws {
        fixture = try await TestAccounts()
        let channels = [try InMemoryContent.channel("canalA"), try InMemoryContent.channel("canalB")]
        content.state.withLock { state in
            state.channels = channels
            state.titles = ["open", "inside", "secret"].map { InMemoryContent.title($0, poster: "/p/\($0).jpg") }
            state.tracks = ["open", "secret"].map { InMemoryContent.track($0) }
            state.audiences = ["secret": .invited, "inside": .members]
        }
        let table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts))
        responder = table.router().buildResponder()
        fixture.accounts.audiences = AudienceRules(channels: ["canalB": .invited])
        let secret = ["secret": ItemAudience(.invited)]
        fixture.accounts.setItemAudiences(
            ItemAudiences(
                titles: secret.merging(["inside": ItemAudience(.members)]) { first, _ in first }, tracks: secret))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ session: NewSession? = nil, accept: String = "*/*",
        body: String = ""
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json", .accept: accept]
        if let session { headers[.authorization] = "Bearer \(session.secret.text)" }
        return try await Application(responder: responder).test(.live) { [headers] client in
            try await client.execute(uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
        }
    }

    /// A request for each thing that a path can name, with a name of something for invited people and one of nothing.
    private static let requests: [(method: HTTPRequest.Method, path: String, secret: String)] =
        [
            "/api/v1/titles/%", "/api/v1/titles/%/transcode", "/api/v1/titles/%/audience", "/vod/%/poster.jpg",
            "/vod/%/storyboard.vtt", "/vod/%/storyboard-1.jpg", "/videoclub?title=%", "/api/v1/tracks/%",
            "/api/v1/tracks/%/audience", "/radio/%/cover", "/radio?track=%",
        ].map { (.get, $0, "secret") }
        + [
            (.delete, "/api/v1/titles/%", "secret"), (.patch, "/api/v1/titles/%", "secret"),
            (.patch, "/api/v1/titles/%/audience", "secret"), (.delete, "/api/v1/tracks/%", "secret"),
            (.put, "/api/v1/titles/%/poster", "secret"), (.post, "/api/v1/titles/%/transcode", "secret"),
            (.get, "/api/v1/channels/%", "canalB"), (.post, "/api/v1/channels/%/recording", "canalB"),
            (.post, "/api/v1/channels/%/clips", "canalB"), (.post, "/api/v1/channels/%/metadata", "canalB"),
        ]

    @Test func nobodyFindsOutWhatIsForInvitedPeople() async throws {
        let member = try await fixture.session("ana", .member)
        for session in [nil, member] {
            for accept in ["*/*", "text/html"] {
                for (method, path, name) in Self.requests {
                    func answer(_ name: String) async throws -> (HTTPResponse.Status, String, String) {
                        let response = try await send(
                            method, path.replacing("%", with: name), session, accept: accept, body: "{}")
                        let text = String(buffer: response.body).withSameRequestIdentifier
                            .replacing(name, with: "%")
                        return (response.status, text, response.headers[.cacheControl] ?? "")
                    }
                    let (hidden, unknown) = (try await answer(name), try await answer("nobody"))
                    #expect(hidden == unknown, "\(method) \(path)")
                    #expect(hidden.0 != .ok || path.contains("?"), "\(method) \(path)")
                }
            }
        }
    }

    /// A section for members answers strangers alike, whatever is in it; members find nothing of what is for others.
    @Test func aSectionForMembersGivesNothingAway() async throws {
        fixture.accounts.audiences = AudienceRules(titles: .members, tracks: .invited)
        let member = try await fixture.session("ana", .member)
        for name in ["open", "secret", "nobody"] {
            #expect(try await send(.get, "/api/v1/titles/\(name)").status == .unauthorized, "\(name)")
            #expect(try await send(.get, "/api/v1/tracks/\(name)").status == .notFound, "\(name)")
            let status = try await send(.get, "/api/v1/titles/\(name)", member).status
            #expect(status == (name == "open" ? .ok : .notFound), "\(name)")
        }
    }

    @Test func membersAreAskedToLogIn() async throws {
        let answer = try await send(.get, "/api/v1/titles/inside")
        #expect(answer.status == .unauthorized && answer.headers[.wwwAuthenticate] == "Bearer")
        let member = try await fixture.session("ana", .viewer)
        #expect(try await send(.get, "/api/v1/titles/inside", member).status == .ok)
    }

    private func ids(_ path: String, _ session: NewSession?) async throws -> [String] {
        let answer = try await send(.get, path, session)
        return try JSONParser.parse(answer.body.readableBytesView)["items"]?.elements?
            .compactMap { $0["id"]?.string } ?? []
    }

    @Test func listsPagesAndNumbersLeaveItOut() async throws {
        let member = try await fixture.session("ana", .viewer)
        let chief = try await fixture.session("ben", .operator)
        #expect(try await ids("/api/v1/titles", nil) == ["open"])
        #expect(try await ids("/api/v1/titles?q=secret", nil).isEmpty)
        #expect(try await ids("/api/v1/titles", member) == ["open", "inside"])
        #expect(try await ids("/api/v1/titles", chief) == ["open", "inside", "secret"])
        #expect(try await ids("/api/v1/tracks", member) == ["open"])
        for path in ["/", "/videoclub", "/radio", "/directo", "/acerca"] {
            let page = String(buffer: try await send(.get, path, member, accept: "text/html").body)
            #expect(!page.contains("secret") && !page.contains("canalB"), "\(path)")
        }
        let (few, all) = (try await send(.get, "/api/v1/about"), try await send(.get, "/api/v1/about", chief))
        #expect(few.status == .ok && few.body != all.body)
        // Jobs name files.
        #expect(try await send(.get, "/api/v1/jobs").status == .unauthorized)
        #expect(try await send(.get, "/api/v1/jobs", member).status == .forbidden)
        #expect(try await send(.get, "/api/v1/jobs", chief).status == .ok)
    }

    /// One title can be opened in a closed section.
    @Test func whatIsOpenInAClosedSectionIsListed() async throws {
        fixture.accounts.audiences = AudienceRules(titles: .members)
        fixture.accounts.setItemAudiences(ItemAudiences(titles: ["open": ItemAudience(.everyone)]))
        content.state.withLock { $0.audiences = ["open": .everyone] }
        #expect(try await ids("/api/v1/titles", nil) == ["open"])
        #expect(try await send(.get, "/api/v1/titles/open").status == .ok)
        #expect(try await send(.get, "/api/v1/titles/inside").status == .unauthorized)
        #expect(try await send(.get, "/videoclub").status == .ok)
    }
}
