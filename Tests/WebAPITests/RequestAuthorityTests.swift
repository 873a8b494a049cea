import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import Logging
import NIOCore
import Synchronization
import Testing

@testable import APIContract
@testable import HTTPEndpoints
@testable import JSONDocument

/// The senders of each request.
struct RequestAuthorityTests {
    private let content = InMemoryContent()
    private let table: EndpointTable
    private let responder: GatewayResponder

    init() {
        table = EndpointTable.serving(content)
        responder = table.router().buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], live: Bool = true
    ) async throws -> TestResponse {
        try await Application(responder: responder).test(live ? .live : .router) { client in
            try await client.execute(uri: path, method: method, headers: headers)
        }
    }

    /// All endpoints that change something need the token; nothing else in a request authorizes an operator.
    @Test func everyChangeNeedsTheToken() async throws {
        let table = try await TestStation().table
        let responder = table.router().buildResponder()
        let endpoints = table.endpoints.filter { $0.path.hasPrefix("/api/") }
        let changes = endpoints.filter { ![.get, .head, .options].contains($0.method) }
        #expect(changes.count >= 20)
        let open = changes.filter(\.rule.includesStrangers).map { "\($0.method) \($0.path)" }
        // Clients are strangers before they log in, sign up or follow a link; a payment has a signature; people who
        // need help may have no account.
        #expect(
            open.sorted() == [
                "POST /api/v1/device", "POST /api/v1/device/token", "POST /api/v1/email-confirmations",
                "POST /api/v1/password-resets", "POST /api/v1/payments", "POST /api/v1/session",
                "POST /api/v1/session/second-factor", "POST /api/v1/support-messages",
                "POST /api/v1/users", "PUT /api/v1/email-confirmations", "PUT /api/v1/password-resets",
            ])
        let attempts: [HTTPFields] = [
            [:], [.authorization: "Bearer"], [.authorization: "Basic OnNlY3JldA=="],
            [.origin: "http://127.0.0.1", .contentType: "application/json"],
        ]
        // Without a listener for each of them, because there are hundreds.
        try await Application(responder: responder).test(.router) { client in
            for endpoint in endpoints where !endpoint.rule.includesStrangers {
                let path = endpoint.path.replacing(/\{[a-z]+\}/, with: "x")
                for headers in attempts {
                    let answer = try await client.execute(uri: path, method: endpoint.method, headers: headers)
                    #expect(answer.status == .unauthorized, "\(endpoint.method) \(path)")
                    #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true, "\(path) \(headers)")
                    guard endpoint.method != .head else { continue }
                    let problem = try JSONParser.parse(answer.body.readableBytesView)
                    #expect(problem["detail"]?.string?.contains("operator-token in the server's data folder") == true)
                }
                let allowed = try await client.execute(
                    uri: path, method: endpoint.method,
                    headers: [.authorization: "bearer  \(TestOperator.token.text)"])
                // People rent, and the video club asks the token to log in.
                guard !path.hasSuffix("/rentals") else { continue }
                #expect(allowed.status != .unauthorized, "\(endpoint.method) \(path)")
            }
        }
    }

    /// Only the log is limited, because operators may share an address with an attacker, for example behind a proxy.
    @Test func wrongTokensGetTheSameAnswerAndFillNoLog() async throws {
        let log = LogRecorder()
        let authority = RequestAuthority(token: TestOperator.token, logger: Logger(label: "test") { _ in log })
        let table = EndpointTable.serving(content, authority: authority)
        let wrong: HTTPFields = [.authorization: "Bearer \(OperatorToken().text)"]
        try await Application(router: table.router()).test(.live) { client in
            for _ in 0..<50 {
                let answer = try await client.execute(uri: "/api/v1/jobs/1", method: .delete, headers: wrong)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
            }
            let right = try await client.execute(
                uri: "/api/v1/jobs/1", method: .delete, headers: [.authorization: TestOperator.authorization])
            #expect(right.status == .notFound)
        }
        let lines = log.text.split(separator: "\n").filter {
            $0.contains("request with a wrong token refused")
        }
        #expect((1...10).contains(lines.count), "\(lines.count)")
    }

    /// Only operators see a publisher's address and user agent.
    @Test func publishersAddressesAreForOperators() async throws {
        let publisher =
            #"{"address": "192.0.2.9:4", "userAgent": "cam/1", "transport": "tcp", "preset": "medium", "since": 0}"#
        var channel = try InMemoryContent.channel("canalA", state: "live")
        let status = try JSONDecoder().decode(ChannelStatus.PublisherStatus.self, from: Data(publisher.utf8))
        channel.publisher = status
        channel.waitingPublishers = [status]
        content.state.withLock { $0.channels = [channel] }
        for path in ["/api/v1/channels", "/api/v1/channels/canalA"] {
            let everyones = try await send(.get, path)
            let shown = String(buffer: everyones.body)
            #expect(everyones.status == .ok && shown.contains(#""publisher""#) && shown.contains(#""tcp""#))
            #expect(!shown.contains("192.0.2.9") && !shown.contains("cam/1"))
            // A wrong token never makes its sender a stranger.
            let guessed = try await send(.get, path, [.authorization: "Bearer \(OperatorToken().text)"])
            #expect(guessed.status == .unauthorized)
            let text = String(buffer: try await send(.get, path, [.authorization: TestOperator.authorization]).body)
            #expect(text.ranges(of: "192.0.2.9").count == 2 && text.ranges(of: "cam/1").count == 2)
        }
    }
}
