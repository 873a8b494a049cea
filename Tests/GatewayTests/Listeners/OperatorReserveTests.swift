import GatewayTestSupport
import HTTPTypes
import Logging
import NIOCore
import TestSupport
import Testing

@testable import Gateway

/// A server at its connection limit.
@Suite(.timeLimit(.minutes(1))) struct OperatorReserveTests {
    private static let health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"

    private func fullRegistry() -> HTTPConnectionRegistry {
        HTTPConnectionRegistry(
            limits: .init(connectionCount: 0), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func strangersGetA503AndOperatorsAnAnswer() async throws {
        let connections = fullRegistry()
        try await HTTPSServer.serving(connections: connections) { server in
            let tls = try TestTLS.clientContext(protocols: ["http/1.1"])
            func exchange(_ fields: String, head: String = Self.health) async throws -> String {
                let client = try await RawConnection.connect(to: server.port, tls: tls)
                let answer = try await client.exchange(Array("\(head)\(fields)\r\n".utf8))
                return String(decoding: answer, as: UTF8.self)
            }
            for fields in ["", "Authorization: Bearer wrong\r\n", "Cookie: antena_session=wrong\r\n"] {
                let answer = try await exchange(fields)
                #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(fields)")
                #expect(answer.lowercased().contains("retry-after: 10\r\n"))
                #expect(answer.contains("has reached its connection limit"))
            }
            // A request that is otherwise answered before the decoder.
            let playlist = "GET /live/canalA.stream/playlist.m3u8 HTTP/1.1\r\nHost: localhost\r\n"
            #expect(try await exchange("", head: playlist).hasPrefix("HTTP/1.1 503 "))
            let operators = "Authorization: \(TestOperator.authorization)\r\n"
            #expect(try await exchange("\(operators)Connection: close\r\n").hasPrefix("HTTP/1.1 200 "))
            // Later requests of the connection need no credential, nor do those that were sent together with the first.
            let both = try await exchange("\(operators)\r\n\(Self.health)Connection: close\r\n")
            #expect(both.split(separator: "HTTP/1.1 200 ", omittingEmptySubsequences: false).count == 3)
        }
        #expect(connections.count == 0)
    }

    @Test func aStreamProvesItsConnection() async throws {
        let connections = fullRegistry()
        try await HTTPSServer.serving(connections: connections) { server in
            let client = try await HTTP2Client.connect(to: server.port)
            let refused = try await client.send("/healthz")
            #expect(refused.status == 503)
            let answer = try await client.send("/healthz", fields: [.authorization: TestOperator.authorization])
            #expect(answer.status == 200)
            #expect(try await client.send("/healthz").status == 200)
            try await client.channel.close()
        }
    }

    @Test func whatIsSentMeanwhileIsNotLost() async throws {
        let connections = fullRegistry()
        try await HTTPSServer.serving(connections: connections) { server in
            let client = try await RawConnection.connect(
                to: server.port, tls: try TestTLS.clientContext(protocols: ["http/1.1"]))
            let body = String(repeating: " ", count: 40_000) + "{}"
            let request =
                "PUT /api/v1/titles/none HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(TestOperator.authorization)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            let answer = String(decoding: try await client.exchange(Array(request.utf8)), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 4"), "an answer of the endpoint: \(answer.prefix(200))")
        }
    }
}
