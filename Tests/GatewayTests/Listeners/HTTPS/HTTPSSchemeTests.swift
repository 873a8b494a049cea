import GatewayTestSupport
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing
import TransportSecurity

@testable import Gateway

/// The scheme of requests, from which cookies and addresses are made.
@Suite(.timeLimit(.minutes(1))) struct HTTPSSchemeTests {
    /// Serves the scheme of each request, with TLS.
    private func serving(
        isolation: isolated (any Actor)? = #isolation, _ body: (Int) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let folder = try TemporaryDirectory(label: "https")
        let certificate = try await TestCertificate(in: folder)
        let identity = try TLSIdentity(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath,
            applicationProtocols: HTTPSChannel.applicationProtocols)
        let router = Router()
        router.get("/scheme") { request, _ in "scheme=\(request.head.scheme ?? "none")." }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            server: HTTPServerBuilder {
                HTTPSChannel(
                    identity: identity, responder: $0,
                    configuration: HTTPConnectionConfiguration(budget: RequestBudget()) { [] })
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next(isolation: isolation) else { return }
            let result: Result<Void, any Error>
            do { result = .success(try await body(port)) } catch { result = .failure(error) }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }

    @Test func isHTTPSForBothVersionsOfHTTP() async throws {
        try await serving { port in
            let tls = try TestTLS.clientContext(protocols: ["http/1.1"])
            let client = try await RawConnection.connect(to: port, tls: tls)
            let request = "GET /scheme HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let answer = String(decoding: try await client.exchange(Array(request.utf8)), as: UTF8.self)
            #expect(answer.contains("scheme=https."), "\(answer)")
            let second = try await HTTP2Client.connect(to: port)
            #expect(try await second.send("/scheme").text.contains("scheme=https."))
            try await second.channel.close()
        }
    }
}
