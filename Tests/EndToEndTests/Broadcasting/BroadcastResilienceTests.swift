import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// `antena broadcast` when its environment fails.
    @Suite struct BroadcastResilienceTests {
        private static func push(to server: AntenaProcess, _ more: [String] = []) throws -> BackgroundProgram {
            try BroadcastTests.start(BroadcastTests.arguments(server, ["--test-card"] + more))
        }

        // MARK: Signals

        /// Closing a terminal sends SIGHUP.
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalIsAGoodbye(_ number: Int32) async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try Self.push(to: server)
            try await BroadcastTests.waitUntilLive(broadcast)
            broadcast.signal(number)
            #expect(try await broadcast.waitForExit(within: 10) == 0)
            #expect(BroadcastTests.events(broadcast).last?["event"] as? String == "ended")
            _ = try await eventually("the channel is free", within: 5) {
                try await server.channelState("canalA") == "idle" ? true : nil
            }
        }

        /// SIGHUP is ignored, as `nohup` does.
        @Test func aBroadcastThatIsToOutliveItsTerminalDoes() async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try BackgroundProgram(
                "nohup",
                ["env", "XDG_CONFIG_HOME=/nonexistent", AntenaProcess.executable]
                    + BroadcastTests.arguments(server, ["--test-card"]))
            try await BroadcastTests.waitUntilLive(broadcast)
            let before = BroadcastTests.events(broadcast).count
            broadcast.signal(SIGHUP)
            _ = try await eventually("it goes on") { BroadcastTests.events(broadcast).count > before + 2 ? true : nil }
            #expect(BroadcastTests.isLive(broadcast))
            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 10) == 0)
        }

        @Test(arguments: [["--json"], []])
        func itEndsInOrderWhenNobodyReadsItsOutput(_ style: [String]) async throws {
            let server = try await AntenaProcess.serving()
            let folder = try TemporaryDirectory(label: "pipe")
            let command =
                "('\(AntenaProcess.executable)' "
                + BroadcastTests.arguments(server, ["--test-card"]).filter { $0 != "--json" }.joined(separator: " ")
                + " \(style.joined()); echo $? > '\(folder.path)/status') | head -n 1"
            let pipeline = try BackgroundProgram("bash", ["-c", command])
            let status = try await eventually("it ends: \(pipeline.errorOutput)", within: 40) {
                // The shell makes the file before it writes.
                let text = try String(contentsOfFile: "\(folder.path)/status", encoding: .utf8)
                return text.isEmpty ? nil : text
            }
            #expect(status == "0\n", "\(pipeline.errorOutput)")
        }

        /// A closed laptop suspends the process.
        @Test func itGoesOnAfterASleep() async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try Self.push(to: server)
            try await BroadcastTests.waitUntilLive(broadcast)
            _ = try await LiveTests.window(of: server, count: 2)
            broadcast.signal(SIGSTOP)
            _ = try await eventually("the server notices", within: 60) {
                try await server.channelState("canalA") != "live" ? true : nil
            }
            broadcast.signal(SIGCONT)
            _ = try await eventually("live again: \(broadcast.output.suffix(500))", within: 40) {
                let state = try await server.channelState("canalA")
                return state == "live" && BroadcastTests.isLive(broadcast) ? true : nil
            }
            try await MediaClients.decode(server.origin + LiveTests.playlist, seconds: 4)
            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 10) == 0)
        }

        /// The server stops reading but keeps its connections.
        @Test func aServerThatHangsIsPushedToAgain() async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try Self.push(to: server)
            try await BroadcastTests.waitUntilLive(broadcast)
            _ = try await LiveTests.window(of: server, count: 2)
            server.signal(SIGSTOP)
            _ = try await eventually("it notices: \(broadcast.output.suffix(300))", within: 40) {
                BroadcastTests.status(broadcast)?["state"] as? String != "live" ? true : nil
            }
            #expect(
                BroadcastTests.events(broadcast).contains {
                    ($0["message"] as? String)?.contains("has not answered for") == true
                })
            server.signal(SIGCONT)
            _ = try await eventually("live again: \(broadcast.output.suffix(500))", within: 60) {
                BroadcastTests.isLive(broadcast) ? true : nil
            }
            try await MediaClients.decode(server.origin + LiveTests.playlist, seconds: 3)
            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 10) == 0)
        }

        // MARK: Not a server

        /// Each row is the server's behaviour, the exit status, and the message.
        @Test(
            arguments: [
                ("noise", 69, "something other than RTSP"), ("noise-behind-answer", 69, "RTSP"),
                ("huge-header", 69, "RTSP"), ("endless-headers", 69, "RTSP"), ("endless-body", 69, "RTSP"),
                ("negative-body", 69, "RTSP"), ("half", 69, "RTSP"), ("other-status", 69, "RTSP"),
                ("mail", 69, "(\"220 mail.example.org ESMTP\")"),
                ("shell", 69, "(\"SSH-2.0-OpenSSH_9.2p1 Debian-2\")"),
            ] as [(String, Int32, String)])
        func whatIsNoRTSPIsSaidToBe(_ way: String, _ status: Int32, _ words: String) async throws {
            let server = try BackgroundProgram.script("hostile-rtsp-server.py", [way])
            let url = "rtsp://127.0.0.1:\(try await server.port())/x"
            let result = try await AntenaProcess.command(
                ["broadcast", "start", "--test-card", "--rtsp", url], deadline: 40)
            #expect(result.status == status && result.errorOutput.contains(words), "\(result.errorOutput)")
        }

        /// None of these may crash the program or exhaust its memory. All pushes run beside one another, because each
        /// takes its time.
        @Test func serversThatGoMadInAPushAreOutlived() async throws {
            let ways = ["frames-without-end", "questions-unread", "noise-in-push", "deaf"]
            let servers = try ways.map { try BackgroundProgram.script("hostile-rtsp-server.py", [$0]) }
            var broadcasts: [BackgroundProgram] = []
            for server in servers {
                let url = "rtsp://127.0.0.1:\(try await server.port())/x"
                broadcasts.append(
                    try BroadcastTests.start([
                        "broadcast", "start", "--json", "--test-card", "--preset", "low", "--rtsp", url, "--duration",
                        "3",
                    ]))
            }
            for (way, broadcast) in zip(ways, broadcasts) {
                #expect(try await broadcast.waitForExit(within: 60) == 0, "\(way): \(broadcast.errorOutput)")
                #expect(BroadcastTests.events(broadcast).last?["event"] as? String == "ended", "\(way)")
            }
        }
    }
}
