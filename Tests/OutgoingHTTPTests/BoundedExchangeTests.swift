import AsyncHTTPClient
import NIOCore
import Testing

@testable import OutgoingHTTP

@Suite(.timeLimit(.minutes(1))) struct BoundedExchangeTests {
    private static let quick = BoundedExchange(timeLimit: .milliseconds(300), maximumByteCount: 1_000_000)

    private func withServer(_ body: (HTTPClientRequest) async throws -> Void) async throws {
        let server = try await TricklingServer()
        try await body(HTTPClientRequest(url: server.url))
        try await server.close()
    }

    @Test func anAnswerThatTricklesEndsWithTheTimeLimit() async throws {
        try await withServer { request in
            await #expect(throws: ExchangeTimeout.self) {
                _ = try await Self.quick.answer(to: request, by: .shared)
            }
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
            await #expect(throws: ExchangeTimeout.self) { _ = try await Self.quick.body(of: response) }
        }
    }

    @Test func aStatusDoesNotWaitForTheBody() async throws {
        try await withServer { request in
            let exchange = BoundedExchange(timeLimit: .seconds(40), maximumByteCount: 0)
            let begin = ContinuousClock.now
            let status = try await exchange.status(of: request, by: .shared)
            #expect(status == 201)
            #expect(ContinuousClock.now - begin < .seconds(30), "the body takes hours")
        }
    }

    @Test func aLargeAnswerIsNotReadToItsEnd() async throws {
        try await withServer { request in
            let exchange = BoundedExchange(timeLimit: .seconds(40), maximumByteCount: 3)
            await #expect(throws: NIOTooManyBytesError.self) {
                _ = try await exchange.answer(to: request, by: .shared)
            }
        }
    }

    @Test func aFileMustComeAtAPace() async throws {
        try await withServer { request in
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
            let body = PacedBody(response, pace: .init(byteCount: 10_000, in: .milliseconds(300)))
            await #expect(throws: ExchangeTimeout.self) { for try await _ in body {} }
        }
    }

    @Test func onlyTheTimeOfThePeerCounts() throws {
        var meter = PaceMeter(.init(byteCount: 100, in: .seconds(10)))
        // Twenty times ten bytes in a second each: ten in ten seconds are enough.
        for _ in 0..<20 { try meter.receive(10, after: .seconds(0.9)) }
        try meter.receive(1, after: .seconds(9))
        #expect(throws: ExchangeTimeout.self) { try meter.receive(1, after: .seconds(1)) }
        // A large piece after a long wait is a pace, too.
        var bursts = PaceMeter(.init(byteCount: 100, in: .seconds(10)))
        for _ in 0..<20 { try bursts.receive(100, after: .seconds(59)) }
    }
}
