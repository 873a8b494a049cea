import Accounts
import Crypto
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Idempotency
import JSONDocument
import NIOCore
import Testing

@testable import WebAPI

/// `Idempotency-Key` over HTTP.
@Suite(.eitherEngine) struct IdempotencyTests {
    private let fixture: TestAccounts
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        let keys = try await IdempotencyKeys.open(fixture.database, program: "test", key: SymmetricKey(size: .bits256))
        table = EndpointTable.serving(
            InMemoryContent(), authority: TestOperator.authority(fixture.accounts), with: keys)
    }

    private func send(
        _ path: String, _ body: String, key: String?, authorization: String? = TestOperator.authorization,
        type: String = "application/json"
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: type]
        headers[.authorization] = authorization
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(
                uri: "/api/v1/\(path)", method: .post, headers: headers, body: ByteBuffer(string: body))
        }
    }

    private static func user(_ name: String) -> String {
        #"{"username": "\#(name)", "password": "\#(TestAccounts.password)", "role": "member"}"#
    }

    private static func isReplayed(_ response: TestResponse) -> Bool {
        HTTPField.Name("Idempotency-Replayed").flatMap { response.headers[$0] } == "true"
    }

    @Test func aRepetitionGetsTheFirstResponse() async throws {
        let first = try await send("users", Self.user("ana"), key: "k1")
        #expect(first.status == .created && !Self.isReplayed(first))
        let again = try await send("users", Self.user("ana"), key: "\"k1\"")
        #expect(again.status == .created && again.body == first.body && Self.isReplayed(again))
        #expect(again.headers[.eTag] == first.headers[.eTag] && again.headers[.eTag] != nil)
        #expect(try await send("users", Self.user("ana"), key: "k2").status == .conflict, "the name is taken")
        #expect(try await send("users", Self.user("eva"), key: "k1").status == .unprocessableContent)
        #expect(try await send("users", Self.user("eva"), key: "k3").status == .created)
    }

    /// A secret is shown once, and that time the connection broke.
    @Test func aTokenThatWasLostOnTheWayIsShownAgain() async throws {
        _ = try await send("users", Self.user("ana"), key: nil)
        let body = #"{"name": "script", "user": "ana", "permissions": ["read"]}"#
        let first = try await send("tokens", body, key: "k1")
        #expect(first.status == .created)
        #expect(try await send("tokens", body, key: "k1").body == first.body)
        let token = try #require(try JSONParser.parse(first.body.readableBytesView)["secret"]?.string)
        #expect(first.status == .created && token.hasPrefix("antena_"))
    }

    @Test func aRefusalIsNotKept() async throws {
        #expect(try await send("users", Self.user("!"), key: "k1").status == .unprocessableContent)
        #expect(try await send("users", Self.user("ana"), key: "k1").status == .created)
    }

    @Test func aKeyThatDoesNotCountIsRefused() async throws {
        #expect(try await send("users", Self.user("ana"), key: "a b").status == .badRequest)
        let upload = try await send("titles", "film", key: "k1", type: "application/octet-stream")
        #expect(upload.status == .unprocessableContent)
        let large = String(repeating: " ", count: 300_000)
        #expect(try await send("users", large, key: "k1").status == .contentTooLarge)
        // Strangers have no keys; what they create is unique by itself.
        let stranger = try await send("session", #"{"username": "x", "password": "y"}"#, key: "k1", authorization: nil)
        #expect(stranger.status == .unauthorized)
    }
}
