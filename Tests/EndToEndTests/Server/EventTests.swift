import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Server-sent events, read by curl as a program of somebody else would.
    @Suite struct EventTests {
        private static func listener(
            _ server: AntenaProcess, _ query: String = "", after event: String? = nil
        ) throws -> BackgroundProgram {
            let resumption = event.map { ["-H", "Last-Event-ID: \($0)"] } ?? []
            return try BackgroundProgram(
                "curl",
                ["-sN", "-H", "Authorization: Bearer \(try server.operatorToken)"] + resumption
                    + ["\(server.origin)/api/v1/events\(query)"])
        }

        private static func types(_ listener: BackgroundProgram) -> [String] {
            listener.output.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
        }

        @Test func whatHappensIsToldAndNothingOfItIsLostWhenTheServerIsKilled() async throws {
            let server = try await AntenaProcess.serving()
            let listener = try Self.listener(server, "?resource=channel/canalA")
            _ = try await eventually("the stream begins") { listener.output.contains("retry:") ? true : nil }
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await eventually("the channel is up") { Self.types(listener) == ["channel.up"] ? true : nil }
            publisher.kill()
            _ = try await eventually("the channel is down") {
                Self.types(listener) == ["channel.up", "channel.down"] ? true : nil
            }
            let first = try #require(listener.output.firstMatch(of: /id: ([0-9]+)/).map { String($0.1) })
            try await AccountTests.add("ana", "member", server)
            let operators = try Self.listener(server, "?types=account")
            _ = try await eventually("a listener from now on gets what comes") {
                operators.output.contains("retry:") ? true : nil
            }
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            try await server.start()
            // Who comes back names the last event it has seen, and gets the rest.
            let back = try Self.listener(server, "?types=channel", after: first)
            _ = try await eventually("what was missed") { Self.types(back) == ["channel.down"] ? true : nil }
            try await AccountTests.add("eva", "member", server)
            let all = try BackgroundProgram(
                "env",
                [
                    "ANTENA_DATA=\(server.folder.path)/data", AntenaProcess.executable, "events", "--server",
                    server.origin, "--types", "account", "--after", "0",
                ])
            _ = try await eventually("accounts: \(all.output) \(all.errorOutput)") {
                let lines = all.output.split(separator: "\n")
                return lines.count { $0.contains(#""type":"account.created""#) } == 2 ? true : nil
            }
            for program in [listener, operators, back, all] { program.kill() }
            // A server that stops in order notes the end of the push.
            let last = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 2)
            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 20) == 0)
            #expect(!server.log.contains("events could not be written"), "\(server.log)")
            last.kill()
            try await server.start()
            let ends = try Self.listener(server, "?types=channel.down", after: "0")
            _ = try await eventually("both ends: \(ends.output)") { Self.types(ends).count == 2 ? true : nil }
            ends.kill()
        }
    }
}
