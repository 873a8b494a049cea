import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Pushing and playing by SRT, with ffmpeg and GStreamer.
    @Suite struct SRTTests {
        private static let pattern = [
            "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-re", "-f", "lavfi", "-i",
            "sine=frequency=440:sample_rate=48000", "-t", "120",
        ]

        private static func publisher(
            to url: String, _ input: [String] = pattern,
            codecs: [String] = BackgroundProgram.h264 + BackgroundProgram.aac
        ) throws -> BackgroundProgram {
            try BackgroundProgram(
                "ffmpeg", ["-hide_banner", "-loglevel", "error", "-nostdin"] + input + codecs + ["-f", "mpegts", url])
        }

        private static func server(_ fields: [String: String] = [:]) async throws -> AntenaProcess {
            let server = try AntenaProcess(extraArguments: ["--srt", "127.0.0.1:0"], channelFields: fields)
            try await server.start()
            return server
        }

        private static func waitUntilLive(
            _ server: AntenaProcess, _ publisher: BackgroundProgram, _ channel: String = "canalA"
        ) async throws {
            _ = try await eventually("\(channel) is live; \(publisher.errorOutput)\n\(server.log.suffix(800))") {
                try await server.channelState(channel) == "live" ? true : nil
            }
        }

        private static func waitForEnd(_ server: AntenaProcess) async throws {
            _ = try await eventually("the push has ended") {
                try await server.channelState("canalA") != "live" ? true : nil
            }
        }

        /// The hashes of the pictures of an address or a file.
        private static func pictures(_ input: [String]) async throws -> [String] {
            let text = try await ExternalTool("ffmpeg").run(
                ["-v", "error", "-nostdin"] + input + [
                    "-map", "0:v", "-c", "copy", "-f", "framehash", "-hash", "md5", "-",
                ],
                deadline: 90
            ).text
            return hashes(text)
        }

        private static func hashes(_ text: String) -> [String] {
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
                let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                return fields.count > 5 ? fields[5] : nil
            }
        }

        /// A recording of a push by a line that loses packets has every picture that was sent.
        private static func recordedPictures(
            loss: Double, latency: Int, seed: Int
        ) async throws -> (sent: [String], recorded: [String]) {
            let server = try await server(["canalA": #""srt": {"latencyMs": \#(latency)}, "record": "always""#])
            let line = try BackgroundProgram.script("bad-line.py", ["\(server.srtPort)", "\(loss)", "20", "\(seed)"])
            defer { line.kill() }
            let port = try await line.port()
            let file = try server.folder.file("pushed.ts")
            try await MediaClients.make(
                file, ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=10"] + BackgroundProgram.h264)
            let publisher = try publisher(
                to: "srt://127.0.0.1:\(port)?streamid=publish:canalA&latency=\(latency * 1_000)&linger=3",
                ["-re", "-i", file],
                codecs: ["-c", "copy"])
            try await waitUntilLive(server, publisher)
            let link = try await eventually("the line is measured") {
                let publisher = try await server.request("/api/v1/channels/canalA").json["publisher"] as? [String: Any]
                let link = publisher?["link"] as? [String: Any]
                return (link?["roundTripMilliseconds"] as? Double).flatMap { $0 > 30 ? link : nil }
            }
            #expect((link["lostPackets"] as? Int) != nil)
            _ = try await publisher.waitForExit(within: 40)
            try await waitForEnd(server)
            _ = try await server.request(
                "/api/v1/channels/canalA/recording", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"action": "stop"}"#)
            let recording = try await eventually("the recording is a title", within: 60) {
                let folder = "\(server.folder.path)/data/recordings/canalA"
                return try? FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".mp4") }
                    .map { "\(folder)/\($0)" }
            }
            return (
                try await MediaClients.frameDigests(file), try await MediaClients.frameDigests(recording)
            )
        }

        @Test func everyPictureOfAPushIsPlayed() async throws {
            let server = try await Self.server()
            let file = try server.folder.file("pushed.ts")
            try await MediaClients.make(
                file,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=6", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=48000:duration=6", "-c:v", "libx264", "-preset", "veryfast", "-bf",
                    "3", "-g", "50", "-pix_fmt", "yuv420p",
                ] + BackgroundProgram.aac)
            let player = try BackgroundProgram(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-i", "srt://127.0.0.1:\(server.srtPort)?streamid=read:canalA", "-map",
                    "0:v", "-c", "copy", "-f", "framehash", "-hash", "md5", "-",
                ])
            _ = try await eventually("the player waits; \(player.errorOutput)") {
                server.log.contains("SRT reader started") ? true : nil
            }
            let publisher = try Self.publisher(
                to: "srt://127.0.0.1:\(server.srtPort)?streamid=publish:canalA&linger=3", ["-re", "-i", file],
                codecs: ["-c", "copy"])
            try await Self.waitUntilLive(server, publisher)
            let status = try await server.request("/api/v1/channels/canalA").json["publisher"] as? [String: Any]
            #expect(status?["transport"] as? String == "SRT")
            _ = try await publisher.waitForExit(within: 30)
            _ = try await player.waitForExit(within: 20)
            #expect(Self.hashes(player.output).count == 150)
        }

        /// At 1 % of loss and a round trip of 40 ms, a latency of 400 ms loses nothing.
        @Test func aBadLineLosesNoPicture() async throws {
            let (sent, recorded) = try await Self.recordedPictures(loss: 0.01, latency: 400, seed: 7)
            #expect(sent.count == 250 && recorded == sent)
        }

        @Test func gStreamerPushes() async throws {
            let server = try await Self.server()
            let publisher = try BackgroundProgram(
                "gst-launch-1.0",
                [
                    "-q", "-e", "videotestsrc", "is-live=true", "!", "video/x-raw,width=320,height=180,framerate=25/1",
                    "!", "x264enc", "tune=zerolatency", "key-int-max=25", "bitrate=300", "!", "h264parse", "!", "mux.",
                    "audiotestsrc", "is-live=true", "!", "audioconvert", "!", "avenc_aac", "!", "aacparse", "!", "mux.",
                    "mpegtsmux", "name=mux", "alignment=7", "!", "srtsink",
                    "uri=srt://127.0.0.1:\(server.srtPort)?mode=caller", "streamid=publish:canalA",
                ])
            try await Self.waitUntilLive(server, publisher)
            _ = try await LiveTests.window(of: server, count: 2)
            #expect(try await MediaClients.codecs(server.origin + LiveTests.playlist) == ["h264", "aac"])
            publisher.kill()
        }

        /// Every codec that MPEG-TS carries is seen and heard.
        @Test(arguments: [
            (["-c:a", "aac", "-mpegts_flags", "latm"], ["aac"]), (["-c:a", "ac3"], ["ac3"]),
            (["-c:a", "eac3"], ["eac3"]), (["-c:a", "libopus", "-ac", "2"], ["aac", "opus"]),
            (["-c:a", "mp2", "-b:a", "128k"], ["aac"]),
        ]) func everyCodecIsHeard(_ options: [String], _ codecs: [String]) async throws {
            let server = try await Self.server()
            let publisher = try Self.publisher(
                to: "srt://127.0.0.1:\(server.srtPort)?streamid=publish:canalA",
                codecs: BackgroundProgram.h264 + options)
            try await Self.waitUntilLive(server, publisher)
            _ = try await LiveTests.window(of: server, count: 2)
            let url = server.origin + LiveTests.playlist
            #expect(try await MediaClients.codecs(url) == Set(codecs + ["h264"]))
            try await MediaClients.decode(url, seconds: 1)
            publisher.kill()
        }

        /// A refused caller has no connection; nobody else notices.
        @Test func refusalsComeBeforeAConnection() async throws {
            let server = try await Self.server(["canalB": PublishingTests.credentials])
            let base = "srt://127.0.0.1:\(server.srtPort)?streamid="
            let first = try Self.publisher(to: "\(base)publish:canalA")
            try await Self.waitUntilLive(server, first)
            for (streamID, reason) in [
                ("publish:canalX", "notFound"), ("publish:canalA", "conflict"), ("write:canalA", "badRequest"),
                ("publish:canalB", "unauthorized"), ("publish:canalC?preset=gigantic", "badRequest"),
            ] {
                let refused = try Self.publisher(to: base + streamID)
                #expect(try await refused.waitForExit(within: 20) != 0, "\(streamID)")
                #expect(server.log.contains("reason=\(reason)"), "\(streamID): \(server.log.suffix(600))")
            }
            // A wrong password is found out afterwards, and nothing of the push is used.
            let wrong = try Self.publisher(to: "\(base)publish:canalB:ana:falso")
            _ = try await eventually("the login is refused") { server.log.contains("SRT login failed") ? true : nil }
            #expect(try await server.channelState("canalB") == "idle")
            wrong.kill()
            let right = try Self.publisher(to: "\(base)publish:canalB:ana:secreto")
            try await Self.waitUntilLive(server, right, "canalB")
            #expect(first.isRunning && !server.log.contains("secreto") && !server.log.contains("falso"))
            first.kill()
            right.kill()
        }

        @Test func passphrasesEncrypt() async throws {
            let secret = "correct-horse-battery"
            let server = try await Self.server(["canalA": #""srt": {"passphrase": "\#(secret)"}"#])
            let base = "srt://127.0.0.1:\(server.srtPort)?streamid="
            for wrong in ["publish:canalA", "publish:canalA&passphrase=another-passphrase"] {
                let refused = try Self.publisher(to: base + wrong)
                #expect(try await refused.waitForExit(within: 20) != 0)
            }
            for length in [16, 24, 32] {
                let publisher = try Self.publisher(to: "\(base)publish:canalA&passphrase=\(secret)&pbkeylen=\(length)")
                try await Self.waitUntilLive(server, publisher)
                publisher.kill()
                try await Self.waitForEnd(server)
            }
            #expect(!server.log.contains(secret))
        }

        /// The passphrase of a link encrypts although the channel has none; another one is refused.
        @Test func linksHaveTheirOwnPassphrase() async throws {
            let server = try await Self.server(["canalA": #""publish": "accounts""#])
            let made = try await server.request(
                "/api/v1/channels/canalA/publish-links", method: "POST",
                headers: ["Content-Type": "application/json"], body: #"{"name": "Camera"}"#)
            let passphrase = try #require(made.json["passphrase"] as? String)
            let link = try #require(made.json["link"] as? String)
            let secret = try #require(link.split(separator: "token=").last)
            let base = "srt://127.0.0.1:\(server.srtPort)?streamid=publish:canalA?"
            for parameters in ["link=\(secret)&passphrase=another-passphrase", "link=\(secret)", "link=\(passphrase)"] {
                let wrong = try Self.publisher(to: base + parameters)
                #expect(try await wrong.waitForExit(within: 20) != 0)
            }
            #expect(try await server.channelState("canalA") == "idle")
            for parameters in ["link=\(secret)&passphrase=\(passphrase)&pbkeylen=32", "token=\(secret)"] {
                let publisher = try Self.publisher(to: base + parameters)
                try await Self.waitUntilLive(server, publisher)
                publisher.kill()
                try await Self.waitForEnd(server)
            }
            #expect(!server.log.contains(passphrase))
        }

        /// What is no transport stream ends its own connection with one line in the log.
        @Test func garbageDisturbsNobody() async throws {
            let server = try await Self.server()
            let other = try Self.publisher(to: "srt://127.0.0.1:\(server.srtPort)?streamid=publish:canalB")
            try await Self.waitUntilLive(server, other, "canalB")
            // At a steady rate, because what is still on its way when a sender ends is lost.
            let sender = try BackgroundProgram(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", "anoisesrc=r=48000:seed=5:d=60", "-ac", "2",
                    "-c:a", "pcm_s16le", "-f", "s16le", "srt://127.0.0.1:\(server.srtPort)?streamid=publish:canalA",
                ])
            _ = try await eventually("the sender is refused; \(server.log.suffix(500)) \(sender.errorOutput)") {
                server.log.contains("there is no packet of MPEG-TS") ? true : nil
            }
            #expect(try await sender.waitForExit(within: 20) != 0)
            #expect(server.isRunning && other.isRunning)
            #expect(try await server.channelState("canalB") == "live")
            other.kill()
        }

        /// libsrt has three threads, whatever the number of connections.
        @Test func threadsDoNotGrowWithConnections() async throws {
            let server = try await Self.server()
            let publisher = try Self.publisher(to: "srt://127.0.0.1:\(server.srtPort)?streamid=publish:canalA")
            try await Self.waitUntilLive(server, publisher)
            let readers = try (0..<6).map { _ in
                try BackgroundProgram(
                    "ffmpeg",
                    [
                        "-v", "error", "-nostdin", "-i", "srt://127.0.0.1:\(server.srtPort)?streamid=read:canalA", "-f",
                        "null", "-",
                    ])
            }
            _ = try await eventually("all readers are there") {
                try await server.request("/metrics").text.contains("antena_srt_readers 6\n") ? true : nil
            }
            let tasks = "/proc/\(server.processIdentifier)/task"
            let names = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task in
                try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
            }
            #expect(names.count { $0.hasPrefix("SRT:") } == 3, "\(names)")
            for reader in readers { reader.kill() }
            publisher.kill()
        }
    }
}
