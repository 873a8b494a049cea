import IdentityProviders
import Logging
import MediaAccess
import MediaIntake
import MediaStorage
import NIOCore
import NIOPosix
import OutgoingHTTP
import Testing
import WebTokens
import Webhooks

@testable import Features
@testable import Gateway
@testable import HTTPClients
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

    @Test func aPictureHasADeadline() async throws {
        try await withServer { url in
            let fetcher = HTTPPictureFetcher(timeLimit: .milliseconds(300))
            await #expect(throws: ExchangeTimeout.self) {
                _ = try await fetcher.picture(at: url + "ana.jpg", namedBy: url, maximumByteCount: 100_000)
            }
        }
        #expect(HTTPPictureFetcher().timeLimit == .seconds(15))
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

    private func question(_ address: String) -> HookQuestion {
        HookQuestion(.publish, .rtsp, path: "live/canalA.stream", address: address)
    }

    /// The status is the answer; whatever follows it is not waited for.
    @Test func aHookAnswersByItsStatus() async throws {
        try await withServer { url in
            let hook = AuthorizationHookStart.open(url, logger: logger)
            #expect(await hook.answer(question("192.0.2.1")) == .allowed)
        }
    }

    /// A head that never ends keeps nobody who asks about somebody else from asking.
    @Test func aHookHasADeadlineForEachQuestion() async throws {
        let server = try await RawServer(answering: "HTTP/1.1 200 OK\r\nX-Slow: ", trickling: .milliseconds(20))
        let hook = AuthorizationHookStart.open(
            "http://127.0.0.1:\(server.address?.port ?? 0)/", logger: logger,
            exchange: BoundedExchange(timeLimit: .milliseconds(300), maximumByteCount: 0))
        let addresses = (1...8).map { "192.0.2.\($0)" }
        await withTaskGroup(of: AuthorizationHook.Answer.self) { group in
            for address in addresses { group.addTask { await hook.answer(question(address)) } }
            for await answer in group { #expect(answer == .unavailable) }
        }
        for address in addresses { #expect(server.text.contains("\"ip\":\"\(address)\""), "\(server.text)") }
        try await server.close()
        #expect(AuthorizationHookStart.exchange.timeLimit == .seconds(5))
    }

    private func roleCredentials(_ url: String, _ exchange: BoundedExchange, isContainer: Bool) async throws {
        let name = isContainer ? "AWS_CONTAINER_CREDENTIALS_FULL_URI" : "AWS_EC2_METADATA_SERVICE_ENDPOINT"
        _ = try await CredentialSource(environment: [name: url], threads: .singleton, roleExchange: exchange)
            .credentials()
    }

    @Test(arguments: [true, false]) func credentialsOfARoleHaveADeadline(_ isContainer: Bool) async throws {
        try await withServer { url in
            let exchange = BoundedExchange(timeLimit: .milliseconds(300), maximumByteCount: 100_000)
            await #expect(throws: MediaStorageError.self) {
                try await roleCredentials(url, exchange, isContainer: isContainer)
            }
        }
        #expect(CredentialSource.roleExchange.timeLimit == .seconds(5))
    }

    /// Without the limit, the whole would last as long as the suite may.
    @Test(arguments: [true, false]) func credentialsOfARoleAreReadUpToALimit(_ isContainer: Bool) async throws {
        try await withServer { url in
            let exchange = BoundedExchange(timeLimit: .seconds(300), maximumByteCount: 10)
            await #expect(throws: MediaStorageError.self) {
                try await roleCredentials(url, exchange, isContainer: isContainer)
            }
        }
        #expect(CredentialSource.roleExchange.maximumByteCount == 64 << 10)
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
