import Foundation
import Glibc
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// `antena broadcast` with a running gateway.
    @Suite struct BroadcastTests {
        /// The arguments common to all broadcasts of these tests.
        static func arguments(_ server: AntenaProcess, _ more: [String], channel: String = "canalA") -> [String] {
            [
                "broadcast", "start", "--json", "--server", server.origin, "--rtsp",
                "rtsp://127.0.0.1:\(server.rtspPort)", "--channel", channel,
            ] + more
        }

        static func start(_ arguments: [String]) throws -> BackgroundProgram {
            try BackgroundProgram("env", ["XDG_CONFIG_HOME=/nonexistent", AntenaProcess.executable] + arguments)
        }

        /// The newest JSON line with the status.
        static func status(_ program: BackgroundProgram) -> [String: Any]? {
            events(program).last { ($0["event"] as? String) == "status" }
        }

        static func events(_ program: BackgroundProgram) -> [[String: Any]] {
            program.output.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }

        static func isLive(_ program: BackgroundProgram) -> Bool {
            status(program)?["state"] as? String == "live"
        }

        static func waitUntilLive(_ program: BackgroundProgram) async throws {
            _ = try await eventually("it is live: \(program.output.suffix(500)) \(program.errorOutput)", within: 30) {
                isLive(program) ? true : nil
            }
        }

        /// Waits for segments of a broadcast without audio.
        static func waitForFrames(_ server: AntenaProcess, segmentCount: Int) async throws {
            _ = try await eventually("\(segmentCount) segments; the server's log: \(server.log.suffix(1_500))") {
                let reply = try await server.request("/live/canalA.stream/video.m3u8")
                return reply.text.components(separatedBy: "#EXTINF").count > segmentCount ? true : nil
            }
        }

        // MARK: Sources

        @Test(arguments: ["tcp", "udp"]) func aTestCardKeepsWhatThePresetPromises(_ transport: String) async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try Self.start(Self.arguments(server, ["--test-card", "--transport", transport]))
            try await Self.waitUntilLive(broadcast)
            _ = try await LiveTests.window(of: server, count: 5)
            let channel = try await server.request("/api/v1/channels/canalA").json
            let comparison = try #require(channel["presetComparison"] as? [String: Any])
            let resolution = try #require(comparison["resolution"] as? [String: Any])
            #expect((resolution["measured"] as? [String: Int]) == ["width": 854, "height": 480])
            for (name, promised) in [("frameRate", 30.0), ("videoBitrate", 1_200_000), ("audioBitrate", 96_000)] {
                let measured = try #require((comparison[name] as? [String: Any])?["measured"] as? Double, "\(name)")
                #expect(abs(measured - promised) < promised * 0.1, "\(name): \(measured)")
            }
            let probe = try await ExternalTool("ffprobe").run([
                "-v", "error", "-show_entries", "stream=codec_name,width,height,avg_frame_rate", "-of", "csv=p=0",
                server.origin + LiveTests.playlist,
            ])
            #expect(probe.text.contains("h264,854,480,30/1") && probe.text.contains("aac"), "\(probe.text)")
            let status = try #require(Self.status(broadcast))
            #expect(status["framesDropped"] as? Int == 0)
            let received = try #require(status["received"] as? [String: Any])
            #expect(received["width"] as? Int == 854)
            try await server.expectConformance(of: LiveTests.playlist)

            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 10) == 0)
            #expect(Self.events(broadcast).last?["event"] as? String == "ended")
            // It has torn down its session, so the channel is free at once.
            _ = try await eventually("the channel is free", within: 5) {
                try await server.channelState("canalA") == "idle" ? true : nil
            }
        }

        @Test func aFileThatKeepsToThePresetIsCopied() async throws {
            let server = try await AntenaProcess.serving()
            let film = try server.folder.file("film.mp4")
            try await MediaClients.make(
                film,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-f", "lavfi", "-i",
                    "sine=duration=8",
                ]
                    + BackgroundProgram.h264 + BackgroundProgram.aac)
            let broadcast = try Self.start(Self.arguments(server, ["--file", film]))
            try await Self.waitUntilLive(broadcast)
            #expect((Self.status(broadcast)?["video"] as? String)?.hasSuffix("copied") == true)
            #expect(Self.status(broadcast)?["picture"] as? String == Self.status(broadcast)?["video"] as? String)
            _ = try await LiveTests.window(of: server, count: 4)
            let source = try await MediaClients.frameDigests(film)
            let shown = try await MediaClients.frameDigests(
                LiveTests.address(server), transport: "tcp", limit: 30)
            #expect(Set(shown).isSubset(of: Set(source)) && shown.count >= 25, "its own frames, bit for bit")
            #expect(try await broadcast.waitForExit(within: 20) == 0, "it ends with the file")
            #expect(Self.events(broadcast).last?["framesSent"] as? Int == 200)
        }

        @Test func aFileThatDoesNotFitIsEncodedAndGoesRound() async throws {
            let server = try await AntenaProcess.serving()
            let film = try server.folder.file("film.mkv")
            try await MediaClients.make(
                film, ["-f", "lavfi", "-i", "testsrc2=size=800x600:rate=50:duration=3", "-c:v", "mpeg4", "-b:v", "4M"])
            let broadcast = try Self.start(Self.arguments(server, ["--file", film, "--loop", "--duration", "12"]))
            try await Self.waitUntilLive(broadcast)
            try await Self.waitForFrames(server, segmentCount: 5)
            let channel = try await server.request("/api/v1/channels/canalA").json
            let track = try #require((channel["tracks"] as? [[String: Any]])?.first)
            #expect(track["width"] as? Int == 640 && track["height"] as? Int == 480, "its shape, within the preset")
            // The preset's 30 and not the file's 50; a machine that is too slow for 30 leaves frames out.
            #expect((10..<32).contains(track["frameRate"] as? Double ?? 0))
            #expect(try await broadcast.waitForExit(within: 30) == 0)
            #expect((Self.events(broadcast).last?["framesSent"] as? Int ?? 0) > 100, "it went round")
        }

        /// libavdevice's generator replaces a camera and a microphone.
        @Test func devicesArePushed() async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try Self.start(
                Self.arguments(
                    server,
                    [
                        "--camera", "lavfi:testsrc2=size=1920x1080:rate=30", "--microphone",
                        "lavfi:sine=frequency=440:sample_rate=44100",
                    ]))
            try await Self.waitUntilLive(broadcast)
            _ = try await LiveTests.window(of: server, count: 4)
            let codecs = try await MediaClients.codecs(server.origin + LiveTests.playlist)
            #expect(codecs == ["h264", "aac"])
            let channel = try await server.request("/api/v1/channels/canalA").json
            let track = try #require((channel["tracks"] as? [[String: Any]])?.first)
            #expect(track["width"] as? Int == 854 && track["height"] as? Int == 480)
            #expect(broadcast.isRunning)
        }

        @Test func whatAnotherProgramWritesIsPushed() async throws {
            let server = try await AntenaProcess.serving()
            let command =
                "ffmpeg -v error -re -f lavfi -i testsrc2=size=320x180:rate=25 -t 20 -c:v mpeg2video -f mpegts - | "
                + "'\(AntenaProcess.executable)' \(Self.arguments(server, ["--standard-input"]).joined(separator: " "))"
            let broadcast = try BackgroundProgram("bash", ["-c", command])
            try await Self.waitUntilLive(broadcast)
            try await Self.waitForFrames(server, segmentCount: 3)
            broadcast.terminate()
        }

        @Test func itIsPushedOverRTSPS() async throws {
            let folder = try TemporaryDirectory(label: "rtsps")
            let certificate = try await TestCertificate(in: folder)
            let server = try AntenaProcess(extraArguments: [
                "--rtsps", "127.0.0.1:0", "--tls-cert", certificate.certificatePath, "--tls-key", certificate.keyPath,
            ])
            try await server.start()
            let address = ["broadcast", "start", "--json", "--rtsp", "rtsps://127.0.0.1:\(server.rtspsPort)"]
            let more = ["--server", server.origin, "--channel", "canalA", "--test-card"]
            let distrustful = try await AntenaProcess.command(address + more)
            #expect(distrustful.status == 77, "\(distrustful.errorOutput)")
            let broadcast = try Self.start(address + more + ["--certificates", certificate.certificatePath])
            try await Self.waitUntilLive(broadcast)
            let publisher = try await server.request("/api/v1/channels/canalA").json["publisher"] as? [String: Any]
            #expect(publisher?["transport"] as? String == "RTSPS")
        }

        // MARK: Failures

        @Test func aServerThatComesBackIsPushedToAgain() async throws {
            let server = try await AntenaProcess.serving()
            let broadcast = try Self.start(Self.arguments(server, ["--test-card"]))
            try await Self.waitUntilLive(broadcast)
            let before = try await LiveTests.window(of: server, count: 3)
            let sequence = before.renditions.first.map { PlaylistDocument($0.playlist).mediaSequence } ?? 0
            let (http, rtsp) = (server.httpPort, server.rtspPort)
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            _ = try await eventually("it notices", within: 20) {
                Self.status(broadcast)?["state"] as? String == "waiting" ? true : nil
            }
            try await server.start(http: http, rtsp: rtsp)
            _ = try await eventually("it is live again: \(broadcast.output.suffix(400))", within: 40) {
                Self.isLive(broadcast) ? true : nil
            }
            let after = try await LiveTests.window(of: server, count: 2)
            let next = try #require(after.renditions.first.map { PlaylistDocument($0.playlist) })
            #expect(next.mediaSequence >= sequence, "the viewer's playlist continues")
            #expect((Self.status(broadcast)?["connections"] as? Int) == 2)
            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 10) == 0)
        }

        /// Broadcasts a test card through a slow uplink.
        private static func pushThroughLine(
            to server: AntenaProcess, bytesPerSecond: Int
        ) async throws -> (line: BackgroundProgram, broadcast: BackgroundProgram) {
            let line = try BackgroundProgram.script("slow-uplink.py", ["\(server.rtspPort)", "\(bytesPerSecond)"])
            let port = try await line.port()
            let broadcast = try start([
                "broadcast", "start", "--json", "--server", server.origin, "--rtsp", "rtsp://127.0.0.1:\(port)",
                "--channel", "canalA", "--test-card",
            ])
            try await waitUntilLive(broadcast)
            return (line, broadcast)
        }

        @Test func aLineThatDoesNotCarryThePresetGetsWhatItCarries() async throws {
            let server = try await AntenaProcess.serving()
            // 640 kbit/s, where the preset wants 1,296.
            let (line, broadcast) = try await Self.pushThroughLine(to: server, bytesPerSecond: 80_000)
            defer { line.kill() }
            _ = try await eventually("it asks for less: \(broadcast.output.suffix(600))", within: 40) {
                (Self.status(broadcast)?["videoBitrate"] as? Int ?? .max) <= 540_000 ? true : nil
            }
            #expect(Self.events(broadcast).contains { ($0["message"] as? String)?.contains("does not carry") == true })
            // The received media is playable.
            try await MediaClients.decode(server.origin + LiveTests.playlist, seconds: 4)
            #expect(Self.isLive(broadcast))
            #expect((Self.status(broadcast)?["connections"] as? Int) == 1)
            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 15) == 0)
        }

        @Test func aLineThatRecoversGetsThePresetAgain() async throws {
            let server = try await AntenaProcess.serving()
            // 720 kbit/s: two steps down.
            let (line, broadcast) = try await Self.pushThroughLine(to: server, bytesPerSecond: 90_000)
            defer { line.kill() }
            _ = try await eventually("it asks for less: \(broadcast.output.suffix(600))", within: 40) {
                (Self.status(broadcast)?["videoBitrate"] as? Int ?? .max) <= 660_000 ? true : nil
            }
            line.signal(SIGUSR1)
            // Each step takes ten seconds without congestion; a busy machine may need more.
            _ = try await eventually("the preset again", within: 150) {
                if (Self.status(broadcast)?["videoBitrate"] as? Int) == 1_200_000 { return true }
                throw NotYet(status: "\(Self.status(broadcast) ?? [:])")
            }
            let said = Self.events(broadcast).compactMap { $0["message"] as? String }
            #expect(said.contains { $0.hasPrefix("the uplink carries more again: now") }, "\(said)")
            #expect(said.last == "the uplink carries the preset again: 1200 kbit/s", "\(said)")
            #expect((Self.status(broadcast)?["connections"] as? Int) == 1)
            broadcast.terminate()
            #expect(try await broadcast.waitForExit(within: 15) == 0)
        }

        private struct NotYet: Error {
            var status: String
        }

        /// Runs the commands in Python's pseudo-terminal: `configure` asks, `start` draws, `q` quits.
        @Test func aPersonIsAskedAndSees() async throws {
            let server = try AntenaProcess(channelFields: [
                "canalB": #""publishers": [{"user": "ana", "password": "sesame"}]"#
            ])
            try await server.start()
            let folder = try TemporaryDirectory(label: "xdg")
            let script = try folder.write(Self.terminal, to: "terminal.py")
            let result = try await ExternalTool("python3").run(
                [
                    script, AntenaProcess.executable, folder.path, server.origin,
                    "rtsp://127.0.0.1:\(server.rtspPort)",
                ], deadline: 90, requiringSuccess: false)
            #expect(result.status == 0, "\(result.text.suffix(3_000)) \(result.errorOutput)")
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/antena/broadcast.json")
            #expect((attributes[.posixPermissions] as? Int) == 0o600)
        }

        /// The server's RTSP port is not the default, and only the server can report it.
        @Test func configureLearnsWhereAServerTakesPushes() async throws {
            let servers = [try await AntenaProcess.serving(), try await AntenaProcess.serving()]
            let folder = try TemporaryDirectory(label: "xdg")
            func run(_ arguments: String...) async throws -> ExternalTool.Result {
                try await ExternalTool("env").run(
                    ["XDG_CONFIG_HOME=\(folder.path)", AntenaProcess.executable, "broadcast"] + arguments, deadline: 60,
                    requiringSuccess: false)
            }
            // The second server is asked as well, although the first one's port is saved by then.
            for server in servers {
                let configured = try await run(
                    "configure", "--server", server.origin, "--channel", "canalB", "--preset", "medium")
                #expect(configured.status == 0, "\(configured.text)\(configured.errorOutput)")
                let shown = try await run("show").text
                #expect(shown.contains("rtsp = rtsp://127.0.0.1:\(server.rtspPort)\n"), "\(shown)")
            }
        }

        private static let terminal = #"""
            import os, pty, re, select, signal, sys, time
            binary, config, server, rtsp = sys.argv[1:]
            os.environ["XDG_CONFIG_HOME"] = config

            def run(arguments, steps, seconds=40):
                pid, terminal = pty.fork()
                if pid == 0:
                    os.execv(binary, [binary] + arguments)
                global seen
                text, seen, done, deadline = "", "", 0, time.monotonic() + seconds
                while time.monotonic() < deadline:
                    if select.select([terminal], [], [], 0.2)[0]:
                        try:
                            piece = os.read(terminal, 65536)
                        except OSError:
                            break
                        if not piece:
                            break
                        text += piece.decode(errors="replace")
                        seen += piece.decode(errors="replace")
                    if done < len(steps) and re.search(steps[done][0], text):
                        os.write(terminal, steps[done][1].encode())
                        text, done = "", done + 1
                if time.monotonic() >= deadline:
                    os.kill(pid, signal.SIGKILL)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                print(arguments, status, done, text)
                return status, done, text

            status, done, text = run(
                ["broadcast", "configure", "--rtsp", rtsp],
                [(r"Server .*:", server + "\n"), (r"canalB +canalB +free[\s\S]*Channel .*:", "canalB\n"),
                 (r"medium +854x480[\s\S]*Quality \[medium\]:", "\n"), (r"User:", "ana\n"), (r"Password:", "sesame\n")])
            assert status == 0 and done == 5 and "Saved" in text and "sesame" not in text, text
            status, done, text = run(["broadcast", "show"], [])
            assert "channel = canalB" in text and "password = (set)" in text and "sesame" not in text, text
            status, done, text = run(
                ["broadcast", "start", "--test-card"],
                [("server receives  854x480", "q")])
            assert status == 0 and done == 1 and "Broadcast ended after" in text, text
            assert "▀" in seen and "LIVE" in seen, seen
            """#

        @Test func errorsSayWhatToDo() async throws {
            let server = try AntenaProcess(channelFields: [
                "canalB": #""publishers": [{"user": "ana", "password": "sesame"}]"#
            ])
            try await server.start()
            let taken = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 1)
            func run(_ arguments: [String]) async throws -> (status: Int32, text: String) {
                let result = try await AntenaProcess.command(["broadcast", "start"] + arguments + ["--test-card"])
                return (result.status, result.errorOutput)
            }
            let api = ["--server", server.origin]
            let rtsp = "rtsp://127.0.0.1:\(server.rtspPort)"
            let wrong = try server.folder.write("open\n", to: "wrong")
            let right = try server.folder.write("sesame\n", to: "right")
            let table: [(arguments: [String], status: Int32, words: String)] = [
                (["--rtsp", "rtsp://127.0.0.1:9", "--channel", "canalA"], 69, "nothing listens at 127.0.0.1:9"),
                (["--rtsp", "rtsp://127.0.0.1:\(server.httpPort)", "--channel", "canalA"], 69, "port"),
                (api + ["--rtsp", rtsp, "--channel", "canalZ"], 68, "it has canalA, canalB, canalC, canalD"),
                (["--rtsp", rtsp, "--channel", "canalZ"], 68, "no channel at /live/canalZ.stream"),
                (api + ["--rtsp", rtsp, "--channel", "canalA"], 75, "in use since"),
                (api + ["--rtsp", rtsp, "--channel", "canalC", "--preset", "full"], 76, "it allows medium"),
                (api + ["--rtsp", rtsp, "--channel", "canalC", "--encoder", "libnone"], 70, "libnone"),
                (["--rtsp", rtsp, "--channel", "canalB"], 77, "--password-file"),
                (["--rtsp", rtsp, "--channel", "canalB", "--user", "ana", "--password-file", wrong], 77, "check both"),
                (
                    [
                        "--rtsp", rtsp, "--channel", "canalB", "--user", "ana", "--password-file", right, "--duration",
                        "3",
                    ],
                    0, ""
                ),
                (["--channel", "canalA"], 64, "--server"),
                (api + ["--channel", "canalD", "--no-video", "--no-audio"], 64, "leave nothing to send"),
                // The former names of the two.
                (api + ["--channel", "canalD", "--no-picture", "--no-sound"], 64, "leave nothing to send"),
                (api, 64, "--channel"),
            ]
            for row in table {
                let (status, text) = try await run(row.arguments)
                #expect(
                    status == row.status && (row.words.isEmpty || text.contains(row.words)), "\(row): \(status) \(text)"
                )
            }
            #expect(taken.isRunning)
        }
    }
}
