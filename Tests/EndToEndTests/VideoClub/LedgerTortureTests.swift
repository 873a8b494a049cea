import DatabaseTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    /// Many clients that rent, top up and refund over HTTP, repeat requests at random, and lose their server three
    /// times.
    @Suite(.eachEngine) struct LedgerTortureTests {
        /// 20,000 movements with `ANTENA_TORTURE=20000`; fewer in an ordinary run.
        private static let movementCount =
            ProcessInfo.processInfo.environment["ANTENA_TORTURE"].flatMap(Int.init) ?? 300
        private static let clientCount = 20
        private static let titleCount = 4
        /// The time for a fifth of the movements, at five a second.
        private static let maximumPhaseSeconds = Double(max(300, movementCount / 25))

        /// A client's requests and their confirmations.
        private struct Client {
            var name: String
            var token: String
            /// The credits that were given, less what was paid for rentals, plus what was given back.
            var balance: Int64 = 0
            var movementCount = 0
            var held: [String: String] = [:]
        }

        /// The requests of all clients together.
        private struct Tally {
            /// The movements that clients were told of.
            var movementCount = 0
            /// Requests that were sent once more with the same key after their answer.
            var repeatCount = 0
            /// Requests that had no answer, or one of a server that could not, and were sent again.
            var retryCount = 0
        }

        private final class Station: Sendable {
            let server: AntenaProcess
            private let counts = Mutex(Tally())

            init(_ server: AntenaProcess) { self.server = server }

            func noteMovement() { counts.withLock { $0.movementCount += 1 } }
            var tally: Tally { counts.withLock { $0 } }

            /// Sends a request until it gets an answer, whatever happens to the server meanwhile.
            func send(
                _ path: String, token: String, body: String? = nil, key: String?, repeats: Bool
            ) async throws -> WebReply {
                var headers = ["Authorization": "Bearer \(token)"]
                headers["Idempotency-Key"] = key
                if body != nil { headers["Content-Type"] = "application/json" }
                let first = try await answer(path, headers, body)
                guard repeats else { return first }
                counts.withLock { $0.repeatCount += 1 }
                let second = try await answer(path, headers, body)
                #expect(second.status == first.status, "\(path): \(first.text) \(second.text)")
                if first.status == 201 { #expect(second.text == first.text, "\(path)") }
                return first
            }

            private func answer(_ path: String, _ headers: [String: String], _ body: String?) async throws -> WebReply {
                try await eventually("\(path) is answered", within: 120) { [self] in
                    let reply = try? await server.web.request(path, method: "POST", headers: headers, body: body ?? "")
                    // The database is busy, or the server is not there.
                    guard let reply, reply.status < 500 else {
                        counts.withLock { $0.retryCount += 1 }
                        return nil
                    }
                    return reply
                }
            }
        }

        @Test func nothingIsLostNorDoubled() async throws {
            let channels = AntenaProcess.channelsFile()
                .replacing("\"presets\": {\n", with: "\"accounts\": {\"apiRequests\": 100000}, \"presets\": {\n")
            let server = try AntenaProcess(channels: channels)
            for index in 0..<Self.titleCount {
                try FileManager.default.copyItem(
                    atPath: try await MovieFixture.noBFrames.path(),
                    toPath: server.folder.file("media/vod/film\(index).mp4"))
            }
            try await server.start()
            let (http, rtsp) = (server.httpPort, server.rtspPort)
            for index in 0..<Self.titleCount {
                let title = try await server.ingested("film\(index).mp4")
                _ = try await server.command([
                    "terms", title.id, "--price", "\(index + 1)", "--server", server.origin,
                ])
            }
            var clients: [Client] = []
            for index in 0..<Self.clientCount {
                let name = "member\(index)"
                let body = #"{"username": "\#(name)", "password": "correct horse battery", "role": "member"}"#
                _ = try await server.request(
                    "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"], body: body)
                let token = try await server.request(
                    "/api/v1/tokens", method: "POST", headers: ["Content-Type": "application/json"],
                    body: #"{"name": "t", "user": "\#(name)"}"#)
                clients.append(Client(name: name, token: try #require(try token.json["secret"] as? String)))
            }
            let (station, clock) = (Station(server), ContinuousClock())
            let start = clock.now
            let operatorToken = try server.operatorToken
            let finished = try await withThrowingTaskGroup(of: Client?.self) { group in
                for (index, client) in clients.enumerated() {
                    group.addTask {
                        try await Self.run(client, seed: UInt64(index), station, operatorToken: operatorToken)
                    }
                }
                group.addTask {
                    for kill in 1...3 {
                        _ = try await eventually("the clients go on", within: Self.maximumPhaseSeconds) {
                            station.tally.movementCount >= kill * Self.movementCount / 5 ? true : nil
                        }
                        server.signal(SIGKILL)
                        _ = try await server.waitForExit(within: 30)
                        try await server.start(http: http, rtsp: rtsp)
                    }
                    return nil
                }
                return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
            }
            let check = try await server.request("/api/v1/credits/check")
            #expect(try check.json["findings"] as? [String] == [], "\(check.text)")
            #expect(try check.json["movements"] as? Int == finished.reduce(0) { $0 + $1.movementCount })
            #expect(try check.json["credits"] as? Int == Int(finished.reduce(0) { $0 + $1.balance }))
            let tally = station.tally
            print(
                """
                ledger, \(TestEngine.current): \(tally.movementCount) movements of \(finished.count) clients, \
                \(tally.repeatCount) repeated under the same key, \(tally.retryCount) sent again without an answer, \
                3 kills, \(try check.json["credits"] as? Int ?? 0) credits, \
                \((try check.json["findings"] as? [String])?.count ?? -1) findings, \(clock.now - start)
                """)
            for client in finished {
                let credits = try await server.request("/api/v1/users/\(client.name)/credits")
                #expect(try credits.json["balance"] as? Int == Int(client.balance), "\(client.name)")
            }
        }

        private static func run(
            _ client: Client, seed: UInt64, _ station: Station, operatorToken: String
        ) async throws -> Client {
            var (client, random) = (client, SeededGenerator(seed: seed))
            var step = 0
            while client.movementCount < movementCount / clientCount {
                step += 1
                let (key, repeats) = ("\(client.name)-\(step)", Int.random(in: 0..<3, using: &random) == 0)
                let index = Int.random(in: 0..<titleCount, using: &random)
                let (title, price) = ("film\(index)", Int64(index + 1))
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    let amount = Int64.random(in: 1...4, using: &random)
                    let reply = try await station.send(
                        "/api/v1/users/\(client.name)/credits", token: operatorToken,
                        body: #"{"amount": \#(amount)}"#, key: key, repeats: repeats)
                    #expect(reply.status == 201, "\(reply.text)")
                    client.balance += amount
                    client.movementCount += 1
                    station.noteMovement()
                case 1:
                    let reply = try await station.send(
                        "/api/v1/titles/\(title)/rentals", token: client.token, key: key, repeats: repeats)
                    let expected = client.held[title] != nil ? 409 : client.balance < price ? 402 : 201
                    #expect(reply.status == expected, "\(client.name), \(title): \(reply.text)")
                    guard reply.status == 201 else { continue }
                    client.held[title] = try #require((try reply.json["rental"] as? [String: Any])?["id"] as? String)
                    client.balance -= price
                    client.movementCount += 1
                    station.noteMovement()
                default:
                    guard let rental = client.held[title] else { continue }
                    let reply = try await station.send(
                        "/api/v1/rentals/\(rental)/refund", token: operatorToken, body: "{}", key: nil,
                        repeats: repeats)
                    // A refund needs no key: it is made once.
                    #expect(reply.status == 200, "\(reply.text)")
                    client.held[title] = nil
                    client.balance += price
                    client.movementCount += 1
                    station.noteMovement()
                }
            }
            return client
        }
    }
}
