import Synchronization
import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import HTTPEndpoints
@testable import JSONDocument

/// The API's view of channels and titles that are not for everyone.
@Suite(.eitherEngine) struct ChannelAudienceTests {
    private let fixture: TestAccounts
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        let content = InMemoryContent()
        let channels = [try InMemoryContent.channel("canalA", state: "live"), try InMemoryContent.channel("canalB")]
        content.state.withLock { $0.channels = channels }
        table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts))
        fixture.accounts.audiences = AudienceRules(channels: ["canalA": .members])
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ session: NewSession? = nil, body: String = ""
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let session { headers[.authorization] = "Bearer \(session.secret.text)" }
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
        }
    }

    private func names(_ session: NewSession?) async throws -> [String] {
        let answer = try await send(.get, "/api/v1/channels", session)
        let list = try JSONParser.parse(answer.body.readableBytesView)
        return list["items"]?.elements?.compactMap { $0["name"]?.string } ?? []
    }

    @Test func listsLeaveOutWhatTheCallerMayNotWatch() async throws {
        #expect(try await names(nil) == ["canalB"])
        #expect(try await send(.get, "/api/v1/channels/canalA").status == .unauthorized)
        let member = try await fixture.session("ana", .viewer)
        #expect(try await names(member) == ["canalA", "canalB"])
        fixture.accounts.audiences = AudienceRules(channels: ["canalA": .invited])
        #expect(try await names(member) == ["canalB"])
        #expect(try await send(.get, "/api/v1/channels/canalA", member).status == .notFound)
        #expect(try await names(try await fixture.session("ben", .operator)) == ["canalA", "canalB"])
    }

    /// A recording is a title, and titles are for everyone here.
    @Test func whatFewWatchIsNotRecordedForMany() async throws {
        let broadcaster = try await fixture.session("ana", .broadcaster)
        let start = #"{"action": "start"}"#
        let refused = try await send(.post, "/api/v1/channels/canalA/recording", broadcaster, body: start)
        #expect(refused.status == .conflict)
        let clip = #"{"from": 1767225600, "to": 1767225630}"#
        #expect(try await send(.post, "/api/v1/channels/canalA/clips", broadcaster, body: clip).status == .conflict)
        fixture.accounts.audiences = AudienceRules(channels: ["canalA": .members], titles: .members)
        let allowed = try await send(.post, "/api/v1/channels/canalA/recording", broadcaster, body: start)
        #expect(allowed.status == .ok)
    }

    @Test func titlesAndJobsFollowTheirSection() async throws {
        fixture.accounts.audiences = AudienceRules(titles: .members, tracks: .members)
        let member = try await fixture.session("ana", .viewer)
        for path in ["/api/v1/titles", "/api/v1/tracks", "/api/v1/jobs", "/videoclub", "/radio"] {
            #expect(try await send(.get, path).status == .unauthorized, "\(path)")
            #expect(try await send(.get, path, member).status == .ok, "\(path)")
        }
        #expect(try await send(.get, "/vod/one/poster.jpg").status == .unauthorized)
    }
}
