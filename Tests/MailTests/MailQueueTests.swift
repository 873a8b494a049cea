import GatewayTestSupport
import Logging
import MediaCore
import NIOPosix
import Synchronization
import Testing
import TestSupport

@testable import Mail

struct MailQueueTests {
    /// Records deliveries, and fails as often as a test wants.
    private final class Transport: MailTransport {
        private struct State {
            var failures: [any Error]
            var mails: [OutgoingMail] = []
        }

        private let state: Mutex<State>

        init(failing failures: [any Error] = []) { state = Mutex(State(failures: failures)) }

        var mails: [OutgoingMail] { state.withLock { $0.mails } }

        func deliver(_ mail: OutgoingMail) async throws {
            let failure = state.withLock { state -> (any Error)? in
                state.mails.append(mail)
                return state.failures.isEmpty ? nil : state.failures.removeFirst()
            }
            if let failure { throw failure }
        }
    }

    private let clock = TestClock()
    private let log = RecordedLog()
    private static let secret = "antena_lnk_secret"

    private func queue(_ transport: any MailTransport, limits: MailQueueLimits = .init()) -> MailQueue<TestClock> {
        MailQueue(
            transport, limits: limits, clock: clock, wallClock: clock.wallClock,
            logger: Logger(label: "test") { _ in log })
    }

    private func message(_ name: String = "ana") throws -> MailMessage {
        try MailMessage(
            from: try MailAddress("tv@example.org"), to: try MailAddress("\(name)@example.net"), subject: "Hello",
            text: "https://tv.example.org/cuenta/clave?link=\(Self.secret)\n", language: "en")
    }

    /// Runs the queue while a test looks at it.
    private func running(_ queue: MailQueue<TestClock>, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await queue.run() }
            try await body()
            group.cancelAll()
        }
    }

    private func busy(_ code: SMTPError.Code = .refused, _ status: String = "451 4.7.1") -> SMTPError {
        SMTPError(code, .recipient, status: code == .refused ? status : nil)
    }

    @Test func mailIsTriedAgainWithGrowingDelays() async throws {
        let transport = Transport(failing: [busy(), busy(.connectionLost), busy(.timedOut)])
        let queue = queue(transport)
        try await running(queue) {
            #expect(queue.add(try message()))
            for (count, delay) in [(1, 10), (2, 20), (3, 40)] {
                // The delay begins when the attempt has failed, which the log says.
                try await eventually { log.text.split(separator: "will retry").count == count + 1 }
                #expect(transport.mails.count == count)
                // Before the time is up nothing happens.
                clock.advance(by: .seconds(delay) - .milliseconds(1))
                try await settle()
                #expect(transport.mails.count == count)
                clock.advance(by: .milliseconds(1))
            }
            try await eventually { queue.count == 0 }
        }
        #expect(transport.mails.count == 4)
        // It is the same mail each time, with the date and the identifier of the first attempt.
        #expect(Set(transport.mails).count == 1)
        #expect(log.text.contains("mail sent"))
    }

    @Test func aRefusedMailIsGivenUp() async throws {
        let transport = Transport(failing: [busy(.refused, "550 5.1.1")])
        let queue = queue(transport)
        try await running(queue) {
            queue.add(try message())
            queue.add(try message("eva"))
            try await eventually { queue.count == 0 }
        }
        #expect(transport.mails.map(\.to.text) == ["ana@example.net", "eva@example.net"])
        #expect(log.text.contains("error mail could not be sent") && log.text.contains("550 5.1.1"))
    }

    @Test func attemptsAreLimited() async throws {
        let transport = Transport(failing: Array(repeating: busy(), count: 100))
        let queue = queue(transport)
        try await running(queue) {
            queue.add(try message())
            try await eventually {
                clock.advance(by: .seconds(600))
                return queue.count == 0
            }
        }
        #expect(transport.mails.count == MailQueueLimits().maximumAttemptCount)
    }

    @Test func aMailThatWaitsDoesNotHoldUpOthers() async throws {
        let transport = Transport(failing: [busy()])
        let queue = queue(transport)
        try await running(queue) {
            queue.add(try message())
            try await eventually { transport.mails.count == 1 }
            queue.add(try message("eva"))
            try await eventually { transport.mails.count == 2 }
        }
        #expect(transport.mails.last?.to.text == "eva@example.net")
        #expect(log.text.contains("mail dropped: the server is shutting down count=1"))
    }

    @Test func theQueueIsBounded() async throws {
        let transport = Transport()
        var limits = MailQueueLimits()
        limits.maximumCount = 2
        let queue = queue(transport, limits: limits)
        let message = try message()
        #expect((0..<4).map { _ in queue.add(message) } == [true, true, false, false])
        #expect(queue.count == 2)
        // A flood is logged once.
        #expect(log.text.matches(of: /the queue is full/).count == 1)
        try await running(queue) { try await eventually { queue.count == 0 } }
        #expect(transport.mails.count == 2)
    }

    @Test func aDraftIsMadeWhenItsTurnComesAndMayLeadToNothing() async throws {
        let transport = Transport()
        let queue = queue(transport)
        let asked = Mutex(0)
        let message = try message()
        queue.add {
            asked.withLock { $0 += 1 }
            return nil
        }
        queue.add {
            // The database does not answer the first time.
            guard
                asked.withLock({
                    $0 += 1; return $0
                }) > 2
            else { throw Unavailable() }
            return message
        }
        #expect(asked.withLock { $0 } == 0)
        try await running(queue) {
            try await eventually {
                clock.advance(by: .seconds(1))
                return queue.count == 0
            }
        }
        #expect(transport.mails.count == 1 && asked.withLock { $0 } == 3)
    }

    private struct Unavailable: Error {}

    @Test func aClosedQueueSendsWhatItCan() async throws {
        let transport = Transport(failing: [busy()])
        let queue = MailQueue(
            transport, clock: ContinuousClock(), logger: Logger(label: "test") { _ in log })
        for name in ["ana", "eva", "leo"] { queue.add(try message(name)) }
        queue.close()
        #expect(!queue.add(try message()))
        await queue.run()
        // The first one was refused for now; nobody waits for its next attempt.
        #expect(transport.mails.count == 3)
    }

    @Test func theLogShowsNoAddressAndNoLink() async throws {
        let server = try await ScriptedSMTPServer(
            .init(replies: [
                "RCPT": ["550 5.1.1 <ana@example.net>: unknown"],
                ".": ["451 4.7.1 https://tv.example.org/cuenta/clave?link=\(Self.secret) is on a list"],
            ]))
        let client = try SMTPClient(
            address: try SMTPServerAddress(parsing: "smtp://127.0.0.1:\(server.port)"), credential: nil,
            helloName: "tv.example.org", group: MultiThreadedEventLoopGroup.singleton)
        let queue = queue(client)
        try await running(queue) {
            queue.add(try message())
            queue.add(try message("eva"))
            try await eventually {
                clock.advance(by: .seconds(1))
                return queue.count == 0
            }
        }
        #expect(server.mails.count == 1)
        for secret in [Self.secret, "ana@", "eva@", "link", "Hello"] { #expect(!log.text.contains(secret)) }
        #expect(log.text.contains("mail.domain=example.net") && log.text.contains("451 4.7.1"))
        try await server.close()
    }

    /// Lets the queue's task run, which waits on a clock that stands still.
    private func settle() async throws {
        for _ in 0..<50 { await Task.yield() }
    }
}
