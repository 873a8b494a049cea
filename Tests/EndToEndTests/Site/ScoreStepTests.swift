import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The score is in step with the picture: a test card with a clock in it is pushed, and screenshots are read.
    @Suite struct ScoreStepTests {
        /// A screenshot: the time in the picture, in milliseconds since 1970, and the points over it.
        private struct Screen {
            var clock: Double
            var points: Int

            init?(_ line: Substring) {
                guard let match = line.firstMatch(of: /"clock": (\d+), "points": (\d+)/),
                    let clock = Double(match.1), let points = Int(match.2)
                else { return nil }
                (self.clock, self.points) = (clock, points)
            }
        }

        private enum Browser: String, CaseIterable {
            case chromium, firefox
        }

        /// One match on a server, and what is pushed to it.
        private struct Court {
            let server: AntenaProcess
            let match: String

            func send(_ path: String, _ body: String) async throws -> WebReply {
                let reply = try await server.request(
                    "/api/v1/\(path)", method: "POST", headers: ["Content-Type": "application/json"], body: body)
                try #require((200..<300).contains(reply.status), "\(reply.text)")
                return reply
            }

            /// A publisher whose clock is wrong.
            func push(clockError: Double) async throws -> BackgroundProgram {
                let program = try BackgroundProgram.script(
                    "clock-card.py", [LiveTests.address(server), "--clock-error", "\(clockError)"])
                _ = try await eventually("the push is shown: \(program.errorOutput)", within: 60) {
                    let publisher = try await server.request("/api/v1/channels/canalA").json["publisher"]
                    let offset = (publisher as? [String: Any])?["clockOffset"] as? Double
                    return offset.map { abs($0 - clockError) < 0.5 } == true ? true : nil
                }
                return program
            }

            func addPoint() async throws {
                _ = try await send("matches/\(match)/events", #"{"events": [{"type": "point", "side": "a"}]}"#)
            }

            /// The times of the points, in milliseconds since 1970.
            func times() async throws -> [Double] {
                let states = try await server.items("/api/v1/matches/\(match)/timeline")
                return states.dropFirst().compactMap { state in
                    (state["time"] as? String).flatMap {
                        try? Date($0, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
                    }
                    .map { $0.timeIntervalSince1970 * 1_000 }
                }
            }
        }

        private static let limit = 100.0

        /// Makes screenshots, with points in between, and compares each change with its frame.
        ///
        /// - Parameters:
        ///   - count: the changes that have to be seen at least.
        ///   - points: the number of points that are made meanwhile.
        private static func expectSteps(
            on court: Court, _ path: String, in browser: Browser, arguments: [String] = [], points: Int = 0, count: Int,
            _ place: String
        ) async throws {
            let screens = try BackgroundProgram.script(
                "overlay-screens.py",
                ["\(court.server.origin)\(path)"] + (browser == .firefox ? ["--firefox"] : []) + arguments,
                interpreter: browser == .firefox ? FirefoxTests.python : "python3")
            try await PlayerChangeTests.says("ready", screens)
            for _ in 0..<points {
                try await court.addPoint()
                // Apart from each other, as a referee taps: each change has screenshots before and after it.
                try await Task.sleep(for: .seconds(1))
            }
            #expect(try await screens.waitForExit(within: 120) == 0, "\(screens.errorOutput)")
            let (times, seen) = (try await court.times(), screens.output.split(separator: "\n").compactMap(Screen.init))
            // The time by which each change is too early or too late, at its worst.
            var deviations: [Double] = []
            for (index, time) in times.enumerated() {
                guard seen.contains(where: { $0.points <= index && $0.clock < time }),
                    seen.contains(where: { $0.points > index && $0.clock > time })
                else { continue }
                let early = seen.filter { $0.points > index }.map { time - $0.clock }.max() ?? 0
                let late = seen.filter { $0.points <= index }.map { $0.clock - time }.max() ?? 0
                deviations.append(max(0, early, late))
            }
            let text = "\(place), \(browser): \(deviations.map { Int($0) }) of \(seen.count) screenshots"
            print(text)
            #expect(deviations.count >= count, "\(text): \(times) \(screens.output.suffix(2_000))")
            // One that a busy machine draws late is no reason to fail.
            #expect(deviations.sorted()[deviations.count / 2] <= limit, "\(text)")
        }

        /// All eight places pass in both browsers; Firefox, which takes as long, has the two that differ most.
        @Test(arguments: Browser.allCases)
        private func theScoreChangesWithItsFrame(browser: Browser) async throws {
            let server = try AntenaProcess(channelFields: ["canalA": #""dvrWindow": "300s""#])
            try await server.start()
            let made = try await server.request(
                "/api/v1/matches", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"channel": "canalA", "rules": "volleyball", "sideA": ["Ana"], "sideB": ["Berta"]}"#)
            let court = Court(server: server, match: try #require(made.json["match"] as? String))
            let first = try await court.push(clockError: -0.8)
            defer { first.kill() }
            _ = try await court.send("channels/canalA/recording", #"{"action": "start"}"#)
            _ = try await court.send("matches/\(court.match)/events", #"{"events": [{"type": "start"}]}"#)
            if browser == .chromium {
                try await Self.expectSteps(
                    on: court, "/directo/canalA", in: browser, points: 4, count: 3, "live, the clock 0.8 s behind")
            }
            first.kill()
            let second = try await court.push(clockError: 5)
            defer { second.kill() }
            try await Self.expectSteps(
                on: court, "/directo/canalA", in: browser, points: 4, count: 3,
                "live after a new push, the clock 5 s ahead")
            let times = try await court.times()
            let last = try #require(times.last)
            let behind = last - 6_000
            let player = PlayerTests.player
            if browser == .chromium {
                try await Self.expectSteps(
                    on: court, "/directo/canalA", in: browser,
                    arguments: [
                        "--ready",
                        """
                        !\(player).media.seeking && (Math.abs(+\(player).engine.date - \(behind)) < 3000
                          || (\(player).seek(\(player).engine.timeAt(\(behind))), false))
                        """,
                    ], count: 3, "time shift")
            }
            let stopped = try await court.send("channels/canalA/recording", #"{"action": "stop"}"#)
            let file = try #require(stopped.text.firstMatch(of: /"file":"([^"]+)"/)?.1)
            let title = try await server.ingested(String(file))
            try await Self.expectSteps(
                on: court, "/videoclub?title=\(title.id)", in: browser,
                arguments: [
                    "--start", "(\(player).seek(\(player).engine.timeAt(\(behind))), true)", "--ready",
                    "document.querySelector('.score-overlay .b-points')?.textContent === '\(times.count - 4)'",
                ], count: 3, "the recording")
        }
    }
}
