import Accounts
import Database
import DatabaseTestSupport
import Events
import Features
import GatewayTestSupport
import HTTPEndpoints
import Hummingbird
import HummingbirdCore
import JSONDocument
import Logging
import MediaCore
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestSupport
import Testing

@testable import Gateway
@testable import WebAPI

/// Listeners to events over real sockets: their connections leave the HTTP server.
@Suite(.timeLimit(.minutes(2))) struct EventTakeoverTests {
    private let fixture: TestAccounts
    private let authority: RequestAuthority
    private let journal: EventJournal
    private let crowd: EventCrowd
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        fixture = try await TestAccounts()
        authority = TestOperator.authority(fixture.accounts)
        journal = try await EventJournal.open(fixture.database, program: "test", logger: logger)
        crowd = EventCrowd(journal: journal, authority: authority)
    }

    /// Serves while `body` runs; then ends the listeners as a server does that stops, and stops.
    private func serving(
        _ connections: HTTPConnectionRegistry? = nil, canBeTaken: Bool = true,
        isolation: isolated (any Actor)? = #isolation, _ body: (Int) async throws -> Void
    ) async throws {
        let connections = connections ?? HTTPConnectionRegistry(logger: logger)
        let configuration = HTTPConnectionConfiguration(budget: RequestBudget()) { [authority] in
            OperatorReserveHandler.handlers(registry: connections, delivery: .forMemory(RadioPublisher())) {
                await authority.isOperator($0, from: $1)
            }
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = EndpointTable.serving(InMemoryContent(), authority: authority, with: journal, crowd).router()
        let application = Application(
            router: router,
            server: HTTPServerBuilder { responder in
                LimitedChannel(
                    wrapped: PlainHTTPChannel(responder: responder, configuration: configuration),
                    registry: connections,
                    canBeTaken: canBeTaken)
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next(isolation: isolation) else { return }
            let telling = Task { [crowd] in await crowd.run() }
            let result: Result<Void, any Error>
            do { result = .success(try await body(port)) } catch { result = .failure(error) }
            telling.cancel()
            await telling.value
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }

    private func happen(_ count: Int = 1, _ name: String = "canalA", reason: String = "") async {
        for _ in 0..<count {
            journal.note(
                NewEvent(
                    .channelUp, EventSubject(.channel, name), at: journal.now, [("reason", .string(reason))]))
        }
        await journal.flush()
    }

    @Test func aListenerLeavesTheServerAndKeepsItsPlaces() async throws {
        let connections = HTTPConnectionRegistry(logger: logger)
        try await serving(connections) { port in
            let client = try await ListeningClient.connect(to: port)
            try await eventually { crowd.count.listeners == 1 }
            #expect(connections.count == 1 && journal.listenerCount == 1)
            try await eventually { !client.head.isEmpty }
            #expect(client.head.contains("\r\nConnection: close\r\n"))
            await happen()
            try await eventually { client.numbers == [1] }
            #expect(client.body?.text.hasPrefix("retry: ") == true && client.body?.isComplete == false)
            try await client.channel.close()
            try await eventually { connections.count == 0 && journal.listenerCount == 0 && crowd.count.groups == 0 }
        }
    }

    /// With TLS, connections stay where they are; here they do without it.
    @Test func aListenerThatCannotLeaveIsToldTheSame() async throws {
        try await serving(canBeTaken: false) { port in
            let client = try await ListeningClient.connect(to: port)
            try await eventually { client.body?.text.isEmpty == false }
            await happen(3)
            try await eventually { client.numbers == [1, 2, 3] }
            #expect(crowd.count.listeners == 0 && journal.listenerCount == 1)
            #expect(!client.head.contains("Connection: close"))
            try await client.channel.close()
            try await eventually { journal.listenerCount == 0 }
        }
    }

    @Test(arguments: ["http/1.1", "h2"]) func listenersWithTLSStayWhereTheyAre(_ version: String) async throws {
        try await HTTPSServer.serving(events: (journal, crowd)) { server in
            async let answer = Self.listen(version, to: server.port)
            try await eventually { journal.listenerCount == 1 }
            await happen()
            // The journal ends its listeners, and with them the responses.
            let ending = Task { await journal.run(after: DatabaseChanges(fixture.database)) }
            ending.cancel()
            await ending.value
            let text = try await answer
            #expect(text.contains("id: 1\n") && !text.contains("onnection: close"))
            #expect(crowd.count.listeners == 0 && journal.listenerCount == 0)
        }
    }

    /// Heartbeats are sent to each of them.
    @Test func aListenerHasAMinuteToAcknowledgeWhatItIsSent() async throws {
        try await serving { port in
            let client = try await ListeningClient.connect(to: port)
            try await eventually { crowd.count.listeners == 1 }
            try await eventually {
                // The duplicate of the socket is closed when the listener has left the HTTP server.
                try AcknowledgementTimeoutTests.timeouts(ofServerOf: client.channel) == [60_000]
            }
            try await client.channel.close()
        }
        try await HTTPSServer.serving(events: (journal, crowd)) { server in
            let tls = try TestTLS.clientContext(protocols: ["http/1.1"])
            let client = try await RawConnection.connect(to: server.port, tls: tls)
            let request = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await client.holding(Array(request.utf8)) {
                try await eventually {
                    try AcknowledgementTimeoutTests.timeouts(ofServerOf: client.channel) == [60_000]
                }
                #expect(journal.listenerCount == 1)
            }
            try await eventually { journal.listenerCount == 0 }
        }
    }

    private static func listen(_ version: String, to port: Int) async throws -> String {
        guard version == "http/1.1" else {
            let client = try await HTTP2Client.connect(to: port)
            let answer = try await client.send("/api/v1/events")
            try await client.channel.close()
            return answer.text
        }
        let client = try await RawConnection.connect(to: port, tls: try TestTLS.clientContext(protocols: [version]))
        let request = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let answer = try await client.exchange(Array(request.utf8)) { $0.suffix(7) == Array("\r\n0\r\n\r\n".utf8) }
        return String(decoding: answer, as: UTF8.self)
    }

    @Test func nothingIsLostOrDoubledBetweenWhatWasMissedAndWhatComes() async throws {
        await happen(300)
        // Fewer come than may wait for a listener.
        let total = 300 + 40 * 5
        try await serving { port in
            let clients = try await withThrowingTaskGroup(of: ListeningClient.self) { tasks in
                for index in 0..<40 {
                    // Some have seen a part; events come all the time.
                    tasks.addTask { try await ListeningClient.connect(to: port, query: "?after=\(index * 5)") }
                    await happen(5)
                }
                return try await tasks.reduce(into: [ListeningClient]()) { $0.append($1) }
            }
            for client in clients {
                try await eventually { client.numbers.last == total }
                #expect(client.numbers == Array((client.numbers.first ?? 0)...total))
            }
            try await eventually { crowd.count.listeners == 40 }
            #expect(Set(clients.compactMap(\.numbers.first)) == Set((0..<40).map { $0 * 5 + 1 }))
            await happen(2)
            for client in clients {
                try await eventually { client.numbers.suffix(3) == [total, total + 1, total + 2] }
            }
        }
    }

    @Test func listenersAreToldOfWhatTheyMayReadAndWant() async throws {
        var rules = AudienceRules()
        rules.channels["canalB"] = .members
        fixture.accounts.audiences = rules
        let session = try await fixture.session("ana")
        let cookie = "Cookie: other=\(1); antena_session=\(session.secret.text)\r\n"
        try await serving { port in
            let stranger = try await ListeningClient.connect(to: port)
            let member = try await ListeningClient.connect(to: port, fields: cookie)
            let choosy = try await ListeningClient.connect(
                to: port, query: "?resource=channel/canalB", fields: cookie.replacing("1;", with: "2;"))
            let twin = try await ListeningClient.connect(to: port, fields: cookie.replacing("1;", with: "3;"))
            try await eventually { crowd.count == (listeners: 4, groups: 3) }
            await happen(1, "canalA")
            await happen(1, "canalB")
            await happen(1, "canalA")
            try await eventually { stranger.numbers == [1, 3] && member.numbers == [1, 2, 3] }
            try await eventually { choosy.numbers == [2] && twin.numbers == [1, 2, 3] }
        }
    }

    @Test(arguments: [true, false]) func whoseSessionHasEndedIsToldNothingMore(_ somethingHappens: Bool) async throws {
        let session = try await fixture.session("ana")
        try await serving { port in
            let member = try await ListeningClient.connect(
                to: port, fields: "Cookie: antena_session=\(session.secret.text)\r\n")
            let stranger = try await ListeningClient.connect(to: port)
            try await eventually { crowd.count.listeners == 2 }
            await happen()
            try await eventually { member.numbers == [1] && stranger.numbers == [1] }
            try await fixture.accounts.logOut(Caller(session.principal, TestAccounts.origin))
            // Otherwise it is found out with the next heartbeat.
            if somethingHappens { await happen() } else { await crowd.checkRights() }
            try await eventually { member.hasEnded }
            #expect(member.numbers == [1] && member.body?.isComplete == true)
            await happen()
            try await eventually { stranger.numbers.last == (somethingHappens ? 3 : 2) }
            #expect(journal.listenerCount == 1)
        }
    }

    @Test func aServerThatStopsEndsTheResponses() async throws {
        let connections = HTTPConnectionRegistry(logger: logger)
        var clients: [ListeningClient] = []
        try await serving(connections) { port in
            for _ in 0..<5 { clients.append(try await ListeningClient.connect(to: port)) }
            try await eventually { crowd.count.listeners == 5 }
            await happen()
        }
        for client in clients {
            try await eventually { client.hasEnded }
            #expect(client.body?.isComplete == true)
        }
        #expect(connections.count == 0 && journal.listenerCount == 0 && crowd.count.groups == 0)
    }

    @Test func aListenerInTheReserveStaysThere() async throws {
        let connections = HTTPConnectionRegistry(limits: .init(connectionCount: 0, reservedCount: 1), logger: logger)
        try await serving(connections) { port in
            let client = try await ListeningClient.connect(
                to: port, fields: "Authorization: \(TestOperator.authorization)\r\n")
            try await eventually { crowd.count.listeners == 1 }
            #expect(connections.count == 1)
            let refused = try? await ListeningClient.connect(to: port)
            try await eventually { refused?.hasEnded ?? true }
            #expect(refused?.head.isEmpty ?? true && connections.count == 1)
            await happen()
            try await eventually { client.numbers == [1] }
            try await client.channel.close()
            try await eventually { connections.count == 0 }
        }
    }

    @Test func aListenerThatDoesNotReadIsDisconnected() async throws {
        try await serving { port in
            let (slow, quick) = (
                try await ListeningClient.connect(to: port, reads: false), try await ListeningClient.connect(to: port)
            )
            try await eventually { crowd.count.listeners == 2 }
            var count = 0
            try await eventually {
                await happen(20, reason: String(repeating: "x", count: 10_000))
                count += 20
                return crowd.count.listeners == 1
            }
            try await eventually { quick.numbers.count == count }
            #expect(journal.listenerCount == 1 && !quick.hasEnded)
            try await slow.channel.close()
        }
    }

    /// A socket takes less than what was missed, so the connection stays where it is until the client has it.
    @Test func aListenerLeavesOnceItHasTakenWhatItHasMissed() async throws {
        await happen(40, reason: String(repeating: "x", count: 100_000))
        try await serving { port in
            let client = try await ListeningClient.connect(to: port, query: "?after=0", reads: false)
            try await eventually { journal.listenerCount == 1 }
            await happen()
            #expect(crowd.count.listeners == 0)
            try await client.read()
            try await eventually { client.receivedByteCount > 4_000_000 }
            await happen()
            try await eventually { crowd.count.listeners == 1 }
            await happen()
            try await eventually { client.numbers == Array(1...43) }
        }
    }

    @Test func whatAClientSendsLaterIsNotAnsweredAndItsEndIsNoticed() async throws {
        try await serving { port in
            let client = try await ListeningClient.connect(to: port, then: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually { crowd.count.listeners == 1 }
            try await client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            await happen()
            try await eventually { client.numbers == [1] }
            #expect(client.text.split(separator: "HTTP/1.1 200 ").count == 1)
            try await client.channel.close(mode: .output)
            try await eventually { client.hasEnded && journal.listenerCount == 0 }
        }
    }
}
