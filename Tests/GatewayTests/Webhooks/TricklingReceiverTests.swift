import IdentityProviders
import Logging
import MediaAccess
import MediaIntake
import NIOCore
import NIOPosix
import OutgoingHTTP
import Testing
import WebTokens
import Webhooks

@testable import Gateway
@testable import Notifications

/// Everybody whom the server asks over HTTP may answer with a head and then with a byte now and then.
@Suite(.timeLimit(.minutes(1))) struct TricklingReceiverTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"
    private let hosts = CheckedHosts(policy: .anyAddress)

    private func withServer(
        isolation: isolated (any Actor)? = #isolation, _ body: (_ url: String) async throws -> Void
    ) async throws {
        let server = try await RawServer(answering: Self.head, trickling: .milliseconds(20))
        try await body("http://127.0.0.1:\(server.address?.port ?? 0)/")
        try await server.close()
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func aPushServiceIsNotWaitedFor() async throws {
        try await withServer { url in
            let begin = ContinuousClock.now
            let status = await HTTPPushSender(hosts: hosts).send(
                PushRequest(endpoint: url, fields: [], body: [1], mayReachPrivateAddresses: true))
            #expect(status == 200)
            #expect(ContinuousClock.now - begin < PushRequest.timeLimit + .seconds(5), "the body takes 20 minutes")
        }
    }

    @Test func aWebhookCountsByItsStatus() async throws {
        try await withServer { url in
            let sender = HTTPWebhookSender(hosts: hosts, timeLimit: .milliseconds(300))
            #expect(
                await sender.send(WebhookRequest(url: url, fields: [], body: "{}"))
                    == .answered(status: 200, retryAfter: nil))
        }
    }

    @Test func anIdentityProviderHasADeadline() async throws {
        try await withServer { url in
            let transport = HTTPProviderTransport(
                group: MultiThreadedEventLoopGroup.singleton, timeLimit: .milliseconds(300))
            await #expect(throws: ExchangeTimeout.self) { _ = try await transport.send(ProviderRequest(url: url)) }
            await transport.close()
        }
    }

    @Test func aKeySetHasADeadline() async throws {
        try await withServer { url in
            let exchange = BoundedExchange(timeLimit: .milliseconds(300), maximumByteCount: 100_000)
            await #expect(throws: ExchangeTimeout.self) {
                _ = try await MediaTokensStart.fetch(url, logger, exchange: exchange)
            }
        }
        #expect(MediaTokensStart.exchange.timeLimit == .seconds(10))
    }

    @Test func anImportMustComeAtAPace() async throws {
        try await withServer { url in
            var fetcher = HTTPMediaFetcher(hosts: hosts)
            fetcher.pace = .init(byteCount: 10_000, in: .milliseconds(300))
            await #expect(throws: ExchangeTimeout.self) {
                try await fetcher.fetch(url, from: 0, validator: nil) { response in
                    for try await _ in response.bytes {}
                }
            }
        }
    }
}
