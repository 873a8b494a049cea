import Events
import Features
import GatewayTestSupport
import HTTPEndpoints
import Hummingbird
import HummingbirdCore
import LiveChannels
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import WebAPI
import ServiceLifecycle
import Synchronization
import TestSupport
import TransportSecurity

@testable import Gateway
@testable import HLSDelivery

/// The HTTPS port in this process.
struct HTTPSServer {
    let port: Int
    let log: LogRecorder
    private let services: ServiceGroup

    /// Serves while `body` runs, then stops as on SIGTERM, without the shutdown deadline.
    ///
    /// - Parameters:
    ///   - connections: counts the connections; `nil` for no limits.
    ///   - budget: the memory of requests.
    ///   - events: what those who listen to events are told, and who takes their connections.
    /// - Returns: the log up to the end of all connections.
    @discardableResult
    static func serving(
        _ identity: TLSIdentity, delivery: MediaDelivery = .forMemory(RadioPublisher()),
        timeouts: HTTPSTimeouts = HTTPSTimeouts(), connections: HTTPConnectionRegistry? = nil,
        budget: RequestBudget = RequestBudget(),
        events: (journal: EventJournal, crowd: EventCrowd)? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (HTTPSServer) async throws -> Void
    ) async throws -> LogRecorder {
        let log = LogRecorder()
        let logger = Logger(label: "test") { _ in log }
        let connections = connections ?? HTTPConnectionRegistry(logger: logger)
        let authority = TestOperator.authority()
        let configuration = HTTPConnectionConfiguration(budget: budget) {
            OperatorReserveHandler.handlers(registry: connections, delivery: delivery) {
                await authority.isOperator($0, from: $1)
            }
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = EndpointTable.serving(
            InMemoryContent(), authority: authority,
            configure: {
                $0.parts[EventJournal.self] = events?.journal
                $0.parts[EventCrowd.self] = events?.crowd
            }
        ).router()
        let application = Application(
            router: router,
            server: HTTPServerBuilder { responder in
                LimitedChannel(
                    wrapped: HTTPSChannel(
                        identity: identity, responder: responder, configuration: configuration, timeouts: timeouts),
                    registry: connections)
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next(isolation: isolation) else { return }
            try await body(HTTPSServer(port: port, log: log, services: services))
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        return log
    }

    /// Stops the server from within `body`, as SIGTERM does.
    func stop() async { await services.triggerGracefulShutdown() }

    /// Serves with the certificate shared by all tests.
    @discardableResult
    static func serving(
        delivery: MediaDelivery = .forMemory(RadioPublisher()), timeouts: HTTPSTimeouts = HTTPSTimeouts(),
        connections: HTTPConnectionRegistry? = nil, budget: RequestBudget = RequestBudget(),
        events: (journal: EventJournal, crowd: EventCrowd)? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (HTTPSServer) async throws -> Void
    ) async throws -> LogRecorder {
        let folder = try TemporaryDirectory(label: "https")
        let certificate = try await TestCertificate(in: folder)
        let identity = try TLSIdentity(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath,
            applicationProtocols: HTTPSChannel.applicationProtocols)
        let log = try await serving(
            identity, delivery: delivery, timeouts: timeouts, connections: connections, budget: budget, events: events,
            body)
        withExtendedLifetime(folder) {}
        return log
    }
}
