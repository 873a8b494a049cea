import GatewayTestSupport
import NIOCore
import TestSupport
import Testing

@testable import Gateway

/// Clients of HTTP/2 that do their worst, each on one connection. `Benchmarks/http_attack.py` has thousands of them.
@Suite(.timeLimit(.minutes(2))) struct HTTP2AttackTests {
    private let budget = RequestBudget()

    /// Sends bytes on a connection and has `body` look at what becomes of it, and whether others are served.
    private func attack(_ bytes: [UInt8], _ body: () async throws -> Void) async throws {
        try await HTTPSServer.serving(budget: budget) { server in
            let attacker = try await RawConnection.connect(
                to: server.port, tls: try TestTLS.clientContext(protocols: ["h2"]))
            try await attacker.holding(RawFrame.preface + bytes) {
                try await body()
                let other = try await HTTP2Client.connect(to: server.port)
                #expect(try await other.send("/healthz").status == 200)
                try await other.channel.close()
            }
            try await eventually { budget.byteCount == 0 }
        }
    }

    private static func streams(_ block: [UInt8], flags: UInt8 = RawFrame.endHeaders, data: [UInt8] = []) -> [UInt8] {
        (0..<100).flatMap { number in
            let stream = 2 * number + 1
            let body = data.isEmpty ? [] : RawFrame.frame(.data, stream: stream, data)
            return RawFrame.frame(.headers, flags: flags, stream: stream, block) + body
        }
    }

    private static let noWindow = RawFrame.frame(.settings, [0, 4, 0, 0, 0, 0])

    /// Each answer has 270 KB; all of them would have 27 MB. Those that are made when the connection's limit of 4 MB is
    /// reached come on top of it.
    @Test func answersThatNobodyTakesAreFew() async throws {
        let requests = Self.streams(
            RawFrame.request("/api/v1/openapi.json"), flags: RawFrame.endHeaders | RawFrame.endStream)
        try await attack(Self.noWindow + requests) {
            try await eventually { budget.byteCount > 1 << 20 }
            #expect(budget.byteCount < 8 << 20)
        }
    }

    @Test func headsThatAreFarLargerThanTheirBytesAreRefused() async throws {
        // The first field goes to the table, and is then repeated by one byte (RFC 7541 §6.1).
        let field: [UInt8] = [0x40, 3] + Array("x-a".utf8) + [20] + [UInt8](repeating: 118, count: 20)
        let block = RawFrame.request("/healthz") + field + [UInt8](repeating: 0xBE, count: 400)
        try await attack(Self.streams(block)) {
            try await eventually { budget.byteCount == 0 }
        }
    }

    @Test func bodiesThatDoNotEndAreBounded() async throws {
        let requests = Self.streams(RawFrame.request("/api/v1/session"), data: [UInt8](repeating: 32, count: 600))
        try await attack(requests) {
            try await eventually { budget.byteCount > 1 << 20 }
            #expect(budget.byteCount <= budget.limits.connectionByteCount)
        }
    }

    @Test func aHeaderBlockThatDoesNotEndIsCounted() async throws {
        let block =
            RawFrame.request("/") + [0x00, 3] + Array("x-a".utf8) + [0x7F, 0xA1, 0x45]
            + [UInt8](repeating: 118, count: 8_000)
        try await attack(RawFrame.frame(.headers, stream: 1, block)) {
            try await eventually { budget.byteCount > 8_000 }
        }
    }
}
