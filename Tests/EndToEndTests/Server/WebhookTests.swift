import DatabaseTestSupport
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Webhooks with a receiver that verifies messages with the library of Standard Webhooks.
    @Suite struct WebhookTests {
        /// A receiver in a process of its own, and what it was sent.
        private struct Receiver {
            let folder: TemporaryDirectory
            let program: BackgroundProgram
            let port: Int

            init() async throws {
                folder = try TemporaryDirectory(label: "webhook")
                program = try BackgroundProgram.script(
                    "webhook-receiver.py", [folder.path],
                    interpreter: "\(Repository.path)/.build/oidc-provider/bin/python")
                port = try await program.port()
            }

            var url: String { "http://127.0.0.1:\(port)/hook" }

            func use(secret: String) throws { try folder.write(secret, to: "secret") }
            func answer(_ status: Int) throws { try folder.write("\(status)", to: "status") }

            /// The words of each request: the status, and the ID, the type, the event and the number of signatures.
            var requests: [[String]] {
                program.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ").map(String.init) }
            }
            var acknowledged: [[String]] { requests.filter { $0.first == "204" } }
        }

        private static func run(_ arguments: [String], _ server: AntenaProcess) async throws -> String {
            let result = try await server.command(["webhook"] + arguments + ["--server", server.origin])
            #expect(result.status == 0, "\(arguments): \(result.errorOutput)")
            return result.text.trimmingCharacters(in: .newlines)
        }

        private static func json(_ arguments: [String], _ server: AntenaProcess) async throws -> [String: Any] {
            let text = try await run(arguments + ["--json"], server)
            return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        }

        private static func log(
            _ id: String, _ server: AntenaProcess, _ arguments: [String] = []
        ) async throws -> [[String: Any]] {
            let text = try await run(["log", id, "--json"] + arguments, server)
            return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
        }

        /// Adds a webhook, whose secret the receiver uses from now on.
        private static func add(
            _ receiver: Receiver, _ server: AntenaProcess, _ arguments: [String] = []
        ) async throws -> String {
            let lines = try await run(["add", receiver.url] + arguments, server).split(separator: "\n")
            let id = try #require(lines.first?.split(separator: ":").first).description
            #expect(lines.count == 2 && lines.last?.hasPrefix("whsec_") == true, "\(lines)")
            try receiver.use(secret: String(lines.last ?? ""))
            return id
        }

        private static func setState(_ state: String, of name: String, _ server: AntenaProcess) async throws {
            let reply = try await server.request(
                "/api/v1/users/\(name)", method: "PATCH",
                headers: ["Content-Type": "application/json", "If-Match": "*"],
                body: "{\"state\": \"\(state)\"}")
            #expect(reply.status == 200, "\(reply.text)")
        }

        @Test(.engine(.postgreSQL)) func theCommandLineManagesWebhooksAndTheLibraryVerifiesMessages() async throws {
            let receiver = try await Receiver()
            defer { receiver.program.kill() }
            let server = try AntenaProcess(extraArguments: ["--allow-private-imports"])
            try await server.start()
            #expect(try await Self.run(["list"], server) == "no webhooks")
            let id = try await Self.add(receiver, server, ["--types", "account", "--description", "a test"])
            let tested = try await Self.run(["test", id], server)
            #expect(tested.hasPrefix("delivered: HTTP 204 in "), "\(tested)")
            #expect(receiver.acknowledged.map { $0[2] } == ["webhook.test"])
            try await AccountTests.add("ana", "member", server)
            _ = try await eventually("the event: \(receiver.requests) \(server.log)") {
                receiver.acknowledged.contains { $0[2] == "account.created" } ? true : nil
            }
            // Both secrets sign while the rotation lasts; the receiver still has the first.
            let rotated = try await Self.run(["rotate", id, "--keep-hours", "1"], server)
            try await Self.setState("suspended", of: "ana", server)
            _ = try await eventually("the event with two signatures: \(receiver.requests)") {
                receiver.acknowledged.contains { $0[2] == "account.suspended" && $0[4] == "2" } ? true : nil
            }
            try receiver.use(secret: rotated)
            #expect(try await Self.json(["test", id], server)["status"] as? Int == 204)
            // Not followed: an address that was checked must not lead to another one.
            try receiver.answer(302)
            let redirected = try await server.command(["webhook", "test", id, "--server", server.origin])
            #expect(redirected.status != 0 && redirected.text == "failed: HTTP 302\n", "\(redirected.text)")
            try receiver.answer(204)
            let failed = try await Self.log(id, server, ["--state", "failed"])
            #expect(failed.count == 1 && failed.first?["status"] as? Int == 302)
            let created = try #require(
                try await Self.log(id, server).first { $0["type"] as? String == "account.created" })
            let delivery = try #require(created["id"] as? String)
            let replayed = try await Self.json(["replay", id, delivery], server)
            #expect(replayed["replayOf"] as? String == delivery)
            _ = try await eventually("the replay: \(receiver.requests)") {
                receiver.acknowledged.count { $0[1] == created["message"] as? String } == 2 ? true : nil
            }
            #expect(try await Self.run(["log", id, "--limit", "3"], server).split(separator: "\n").count == 4)
            // Off, and on with another address and filter.
            let off = try await Self.run(["set", id, "--disable-sending"], server)
            #expect(off == "\(id): disabled (requested)")
            let on = try await Self.json(
                ["set", id, "--enable-sending", "--types", "channel,title", "--resource", "channel/canalA"], server)
            #expect(on["isEnabled"] as? Bool == true && on["types"] as? [String] == ["channel", "title"])
            #expect(on["resource"] as? String == "channel/canalA" && on["description"] as? String == "a test")
            let all = try await Self.json(["set", id, "--types", "all", "--resource", "all"], server)
            #expect(all["types"] as? [String] == [] && all["resource"] is NSNull)
            #expect(try await Self.run(["show", id], server).contains("0 messages wait"))
            // One of an account, which is not told of accounts.
            _ = try await Self.run(["add", receiver.url, "--user", "ana"], server)
            #expect(try await Self.run(["list"], server).split(separator: "\n").count == 3)
            let metrics = try await server.request("/metrics").text
            #expect(metrics.contains("antena_webhook_receivers{state=\"enabled\"} 2"), "\(metrics)")
            #expect(metrics.contains("antena_webhook_attempts_total{result=\"failed\"} 1"))
            #expect(try await Self.run(["remove", id], server) == "\(id): removed")
            let gone = try await server.command(["webhook", "show", id, "--server", server.origin])
            #expect(gone.status != 0 && gone.errorOutput.contains("there is no such webhook"))
            #expect(!server.log.contains("whsec_"))
        }

        /// The receiver is away while events happen, and the server is killed, before and after it has sent some of
        /// them.
        @Test func nothingIsLostWhenTheServerIsKilledAndTheOrderStays() async throws {
            let receiver = try await Receiver()
            defer { receiver.program.kill() }
            let server = try AntenaProcess(extraArguments: ["--allow-private-imports"])
            try await server.start()
            for name in ["ana", "eva"] { try await AccountTests.add(name, "member", server) }
            let id = try await Self.add(receiver, server, ["--types", "account.suspended,account.restored"])
            try receiver.answer(500)
            func toggle(_ count: Int) async throws {
                for _ in 0..<count {
                    for state in ["suspended", "active"] {
                        for name in ["ana", "eva"] { try await Self.setState(state, of: name, server) }
                    }
                }
            }
            try await toggle(5)
            _ = try await eventually("an attempt") { receiver.requests.isEmpty ? nil : true }
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            try await server.start()
            try receiver.answer(204)
            async let more: Void = toggle(10)
            _ = try await eventually("some are delivered") { receiver.acknowledged.count > 8 ? true : nil }
            try await more
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            try await server.start()
            let expected = 2 * 2 * 15
            _ = try await eventually("all are delivered: \(receiver.acknowledged.count)", within: 90) {
                Set(receiver.acknowledged.map { $0[1] }).count == expected ? true : nil
            }
            #expect(receiver.requests.allSatisfy { ["204", "500"].contains($0[0]) }, "each is verified")
            // The first acknowledgements of events, in their order.
            var seen: Set<String> = []
            let firsts = receiver.acknowledged.filter { seen.insert($0[1]).inserted }
            let log = try await Self.log(id, server, ["--limit", "200"])
            for resource in Set(log.compactMap { $0["resource"] as? String }) {
                let own = Set(
                    log.filter { $0["resource"] as? String == resource }.compactMap { $0["message"] as? String })
                let events = firsts.filter { own.contains($0[1]) }.compactMap { Int($0[3]) }
                #expect(events.count == expected / 2 && events == events.sorted(), "\(resource)")
            }
            #expect(log.count == expected && log.allSatisfy { $0["state"] as? String == "delivered" })
        }

        @Test func addressesThatOnlyTheServerCanReachAreRefused() async throws {
            let receiver = try await Receiver()
            defer { receiver.program.kill() }
            let server = try await AntenaProcess.serving()
            let plain = try await server.command(["webhook", "add", receiver.url, "--server", server.origin])
            #expect(plain.status != 0 && plain.errorOutput.contains("must begin with https://"))
            for host in ["127.0.0.1", "localhost", "[::1]", "2130706433", "[::ffff:127.0.0.1]"] {
                let added = try await server.command(
                    ["webhook", "add", "https://\(host):\(receiver.port)/", "--server", server.origin, "--json"])
                #expect(added.status == 0, "\(added.errorOutput)")
                let webhook = try JSONSerialization.jsonObject(with: Data(added.text.utf8)) as? [String: Any]
                let id = try #require(webhook?["id"] as? String)
                let tested = try await server.command(["webhook", "test", id, "--server", server.origin])
                #expect(
                    tested.status != 0
                        && (tested.text.contains("is not a public address") || tested.text.contains("cannot be found")),
                    "\(host): \(tested.text)")
            }
            #expect(receiver.requests.isEmpty)
        }
    }
}
