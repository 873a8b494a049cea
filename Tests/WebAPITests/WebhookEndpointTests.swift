import Accounts
import Crypto
import DatabaseTestSupport
import Events
import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import Logging
import NIOCore
import Testing
import Webhooks

@testable import WebAPI

/// `/api/v1/webhooks` over HTTP.
@Suite(.eitherEngine) struct WebhookEndpointTests {
    /// Acknowledges all messages.
    private struct Acknowledging: WebhookSending {
        func send(_ request: WebhookRequest) async -> WebhookOutcome { .answered(status: 204, retryAfter: nil) }
    }

    private let fixture: TestAccounts
    private let journal: EventJournal
    private let webhooks: Webhooks
    private let dispatcher: WebhookDispatcher
    private let table: EndpointTable

    init() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        fixture = try await TestAccounts()
        journal = try await EventJournal.open(fixture.database, program: "test", logger: logger)
        webhooks = try await Webhooks.open(
            fixture.database, program: "test", journal: journal, kinds: Features.eventKinds, accounts: fixture.accounts,
            sender: Acknowledging(),
            key: SymmetricKey(size: .bits256), allowsPrivateAddresses: false)
        dispatcher = WebhookDispatcher(webhooks, holder: "test", logger: logger)
        table = EndpointTable.serving(
            InMemoryContent(), authority: TestOperator.authority(fixture.accounts), with: webhooks)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String = "", _ body: String? = nil,
        authorization: String? = TestOperator.authorization, ifMatch: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if body != nil { headers[.contentType] = "application/json" }
        (headers[.authorization], headers[.ifMatch]) = (authorization, ifMatch)
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(
                uri: "/api/v1/webhooks\(path)", method: method, headers: headers,
                body: body.map { ByteBuffer(string: $0) })
        }
    }

    private func json(_ response: TestResponse) throws -> JSONNode {
        try JSONParser.parse(response.body.readableBytesView)
    }

    private static let new = #"{"url": "https://example.org/hook", "types": ["channel"], "description": "mine"}"#

    @Test func theSecretIsInTheAnswersThatMakeItOnly() async throws {
        let created = try await send(.post, "", Self.new)
        let webhook = try json(created)
        let id = try #require(webhook["id"]?.string)
        #expect(created.status == .created && webhook["secret"]?.string?.hasPrefix("whsec_") == true)
        #expect(created.headers[.cacheControl] == "no-store" && webhook["owner"]?.value == .null)
        let read = try json(try await send(.get, "/\(id)"))
        #expect(
            read["secret"] == nil && read["pending"]?.integer == 0 && read["url"]?.string == "https://example.org/hook")
        let list = try json(try await send(.get))["items"]?.elements ?? []
        #expect(list.count == 1 && list.first?["secret"] == nil)
        let rotated = try json(try await send(.post, "/\(id)/secret", #"{"keepPreviousFor": 60}"#))
        #expect(rotated["secret"]?.string?.hasPrefix("whsec_") == true && rotated["secret"] != webhook["secret"])
        #expect(rotated["previousSecretEndsAt"]?.string != nil)
        for wrong in [#"{"keepPreviousFor": 604801}"#, #"{"keepPreviousFor": -1}"#, #"{"x": 1}"#] {
            #expect(try await send(.post, "/\(id)/secret", wrong).status == .unprocessableContent, "\(wrong)")
        }
        #expect(try await send(.delete, "/\(id)").status == .noContent)
        #expect(try await send(.get, "/\(id)").status == .notFound)
    }

    @Test func oneOfTwoChangesAtTheSameTimeIsRefused() async throws {
        let created = try await send(.post, "", Self.new)
        let id = try #require(try json(created)["id"]?.string)
        let tag = try #require(created.headers[.eTag])
        let change = #"{"resource": "channel/canalA", "isEnabled": false}"#
        let changed = try await send(.patch, "/\(id)", change, ifMatch: tag)
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
        let webhook = try json(changed)
        #expect(webhook["resource"]?.string == "channel/canalA" && webhook["disabledReason"]?.string == "requested")
        #expect(webhook["types"]?.elements?.count == 1 && webhook["description"]?.string == "mine")
        for stale in [tag, "\"x\"", "x"] {
            #expect(try await send(.patch, "/\(id)", change, ifMatch: stale).status == .preconditionFailed)
        }
        #expect(try await send(.patch, "/\(id)", change).status == .preconditionRequired)
        let reset = try await send(.patch, "/\(id)", #"{"resource": null, "types": []}"#, ifMatch: "*")
        let everything = try json(reset)
        #expect(everything["resource"]?.value == .null && everything["types"]?.elements == [])
        for wrong in [
            #"{"resource": "canalA"}"#, #"{"resource": ""}"#, #"{"types": ["x"]}"#, #"{"url": "http://example.org/"}"#,
            #"{"secret": "whsec_"}"#, #"{"isEnabled": "yes"}"#,
        ] {
            #expect(try await send(.patch, "/\(id)", wrong, ifMatch: "*").status == .unprocessableContent, "\(wrong)")
        }
    }

    @Test func theCopyOfAnAccountListsItsOwnWebhooksWithoutSecrets() async throws {
        let ana = "Bearer \(try await fixture.session("ana", .administrator).secret.text)"
        _ = try await send(.post, "", #"{"url": "https://example.org/station"}"#)
        let own = try json(try await send(.post, "", Self.new, authorization: ana))
        let copy = try await Application(router: table.router()).test(.live) { client in
            try await client.execute(uri: "/api/v1/me/export", method: .get, headers: [.authorization: ana])
        }
        let webhooks = try #require(try json(copy)["webhooks"]?.elements)
        #expect(webhooks.count == 1 && webhooks.first?["id"]?.string == own["id"]?.string)
        #expect(webhooks.first?["secret"] == nil)
        #expect(!String(buffer: copy.body).contains(own["secret"]?.string ?? "whsec_"))
    }

    @Test func aStateOfDeliveriesThatThereIsNotIsMalformed() async throws {
        let id = try #require(try json(try await send(.post, "", Self.new))["id"]?.string)
        #expect(try await send(.get, "/\(id)/deliveries?state=x").status == .badRequest)
        #expect(try await send(.get, "/\(id)/deliveries?state=pending").status == .ok)
    }

    @Test func strangersHaveNoWebhooksAndMembersTheirOwn() async throws {
        let ana = "Bearer \(try await fixture.token(try await fixture.session("ana")).secret.text)"
        let eva = "Bearer \(try await fixture.token(try await fixture.session("eva")).secret.text)"
        for (method, path) in [(HTTPRequest.Method.get, ""), (.post, ""), (.get, "/x"), (.delete, "/x")] {
            #expect(try await send(method, path, authorization: nil).status == .unauthorized)
        }
        let own = try json(try await send(.post, "", Self.new, authorization: ana))
        let id = try #require(own["id"]?.string)
        #expect(own["owner"]?.string == "ana")
        let ofEva = #"{"url": "https://example.org/", "user": "eva"}"#
        #expect(try await send(.post, "", ofEva, authorization: ana).status == .forbidden)
        #expect(try json(try await send(.post, "", ofEva))["owner"]?.string == "eva")
        for (method, path, body) in [
            (HTTPRequest.Method.get, "", nil), (.patch, "", "{}"), (.delete, "", nil), (.post, "/secret", "{}"),
            (.post, "/test", nil), (.get, "/deliveries", nil), (.post, "/deliveries/x/replay", nil),
        ] as [(HTTPRequest.Method, String, String?)] {
            let response = try await send(method, "/\(id)\(path)", body, authorization: eva)
            #expect(response.status == .notFound, "\(method) \(path)")
        }
        #expect(try await send(.get, "/\(id)", authorization: ana).status == .ok)
    }

    @Test func theLogIsReadByStateAndAMessageIsSentAgain() async throws {
        let id = try #require(try json(try await send(.post, "", Self.new))["id"]?.string)
        let tested = try await send(.post, "/\(id)/test")
        #expect(tested.status == .created)
        #expect(try json(tested)["state"]?.string == "delivered")
        for _ in 0..<3 { journal.note(NewEvent(.channelUp, EventSubject(.channel, "canalA"), at: journal.now)) }
        await journal.flush()
        await dispatcher.turn()
        let first = try json(try await send(.get, "/\(id)/deliveries?limit=3"))
        let next = try #require(first["next"]?.string)
        let rest = try json(try await send(.get, "/\(id)/deliveries?limit=3&cursor=\(next)"))
        let all = (first["items"]?.elements ?? []) + (rest["items"]?.elements ?? [])
        #expect(all.compactMap { $0["type"]?.string } == ["channel.up", "channel.up", "channel.up", "webhook.test"])
        #expect(all.allSatisfy { $0["state"]?.string == "delivered" && $0["status"]?.integer == 204 })
        let delivery = try #require(all.first?["id"]?.string)
        let replayed = try await send(.post, "/\(id)/deliveries/\(delivery)/replay")
        #expect(replayed.status == .created)
        #expect(try json(replayed)["replayOf"]?.string == delivery)
        #expect(try json(try await send(.get, "/\(id)/deliveries?state=pending"))["items"]?.elements?.count == 1)
        #expect(try await send(.get, "/\(id)/deliveries?state=x").status == .badRequest)
        #expect(try await send(.get, "/\(id)/deliveries?cursor=x").status == .unprocessableContent)
        #expect(try await send(.post, "/\(id)/deliveries/x/replay").status == .notFound)
        await dispatcher.turn()
        let text = String(
            buffer: MetricsText.render(WebhookMetrics(statistics: try await webhooks.statistics()).families))
        #expect(text.contains("\nantena_webhook_receivers{state=\"enabled\"} 1\n"), "\(text)")
        #expect(text.contains("\nantena_webhook_attempts_total{result=\"delivered\"} 5\n"))
        #expect(text.contains("\nantena_webhook_pending 0\n"))
    }
}
