import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Pushing and playing by RTMP, with ffmpeg and GStreamer.
    @Suite struct RTMPTests {
        private static func publisher(
            to url: String, _ input: [String]? = nil, codecs: [String] = BackgroundProgram.h264 + BackgroundProgram.aac
        ) throws -> BackgroundProgram {
            let pattern = [
                "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-re", "-f", "lavfi", "-i",
                "sine=frequency=440:sample_rate=48000", "-t", "120",
            ]
            return try BackgroundProgram(
                "ffmpeg",
                ["-hide_banner", "-loglevel", "error", "-nostdin"] + (input ?? pattern) + codecs + ["-f", "flv", url])
        }

        private static func waitUntilLive(_ server: AntenaProcess, _ publisher: BackgroundProgram) async throws {
            _ = try await eventually("canalA is live; \(publisher.errorOutput)", within: 30) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
        }

        /// The hashes of the frames of an address or a file, by stream.
        private static func hashes(_ text: String) -> [String: [String]] {
            var streams: [String: [String]] = [:]
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                if fields.count > 5 { streams[fields[0], default: []].append(fields[5]) }
            }
            return streams
        }

        private static let hashing = [
            "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "framehash", "-hash", "md5", "-",
        ]

        /// A player that waits for the push gets every frame as it was encoded, once and in order.
        @Test func everyFrameOfAPushIsPlayed() async throws {
            let server = try await AntenaProcess.serving()
            let file = try server.folder.file("pushed.mp4")
            try await MediaClients.make(
                file,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=6", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=44100:duration=6", "-c:v", "libx264", "-preset", "veryfast", "-bf",
                    "3", "-g", "50", "-pix_fmt", "yuv420p",
                ] + BackgroundProgram.aac)
            let expected = Self.hashes(
                try await ExternalTool("ffmpeg").run(["-v", "error", "-i", file] + Self.hashing).text)
            let player = try BackgroundProgram(
                "ffmpeg",
                ["-v", "error", "-nostdin", "-i", "rtmp://127.0.0.1:\(server.wowzaPort)/live/canalA"] + Self.hashing)
            _ = try await eventually("the player waits", within: 20) {
                server.log.contains("RTMP player started") ? true : nil
            }
            let publisher = try Self.publisher(
                to: "rtmp://127.0.0.1:\(server.wowzaPort)/live/canalA.stream", ["-re", "-i", file],
                codecs: ["-c", "copy"])
            try await Self.waitUntilLive(server, publisher)
            let status = try await server.request("/api/v1/channels/canalA").json["publisher"] as? [String: Any]
            #expect(status?["transport"] as? String == "RTMP")
            #expect((status?["userAgent"] as? String)?.contains("Lavf") == true)
            #expect(try await publisher.waitForExit(within: 30) == 0, "\(publisher.errorOutput)")
            _ = try await player.waitForExit(within: 20)
            let played = Self.hashes(player.output)
            #expect(expected["0"]?.count == 150 && played["0"] == expected["0"])
            let (audio, all) = (played["1"] ?? [], expected["1"] ?? [])
            // Audio of before the first picture is left out.
            #expect(audio.count >= all.count - 3 && audio == all.suffix(audio.count))
            #expect(try await server.channelState("canalA") == "idle", "the encoder has ended the push")
        }

        @Test func viewersGetWhatIsPushedByRTMPAndRTMPS() async throws {
            let folder = try TemporaryDirectory(label: "rtmps")
            let certificate = try await TestCertificate(in: folder)
            let server = try AntenaProcess(extraArguments: [
                "--rtmp", "127.0.0.1:0", "--rtmps", "127.0.0.1:0", "--tls-cert", certificate.certificatePath,
                "--tls-key",
                certificate.keyPath,
            ])
            try await server.start()
            for (scheme, port, transport) in [("rtmp", server.rtmpPort, "RTMP"), ("rtmps", server.rtmpsPort, "RTMPS")] {
                let publisher = try Self.publisher(to: "\(scheme)://127.0.0.1:\(port)/live/canalA")
                try await Self.waitUntilLive(server, publisher)
                let status = try await server.request("/api/v1/channels/canalA").json["publisher"] as? [String: Any]
                #expect(status?["transport"] as? String == transport)
                _ = try await LiveTests.window(of: server, count: 2)
                let url = server.origin + LiveTests.playlist
                #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
                try await MediaClients.decode(url, seconds: 2)
                publisher.kill()
                _ = try await eventually("the push has ended") {
                    try await server.channelState("canalA") != "live" ? true : nil
                }
            }
        }

        @Test func gStreamerPushes() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram(
                "gst-launch-1.0",
                [
                    "-q", "-e", "videotestsrc", "is-live=true", "!", "video/x-raw,width=320,height=180,framerate=25/1",
                    "!", "x264enc", "tune=zerolatency", "key-int-max=25", "bitrate=300", "!", "mux.", "audiotestsrc",
                    "is-live=true", "!", "audioconvert", "!", "avenc_aac", "!", "mux.", "flvmux", "name=mux",
                    "streamable=true", "!", "rtmp2sink",
                    "location=rtmp://127.0.0.1:\(server.wowzaPort)/live/canalA.stream",
                ])
            try await Self.waitUntilLive(server, publisher)
            _ = try await LiveTests.window(of: server, count: 2)
            #expect(try await MediaClients.codecs(server.origin + LiveTests.playlist) == ["h264", "aac"])
            publisher.kill()
        }

        /// Words that the encoder shows.
        @Test func refusalsSayWhy() async throws {
            let server = try await AntenaProcess.serving()
            let base = "rtmp://127.0.0.1:\(server.wowzaPort)"
            func refusal(_ path: String, codecs: [String] = BackgroundProgram.h264 + BackgroundProgram.aac) async throws
                -> String
            {
                let refused = try Self.publisher(to: base + path, codecs: codecs)
                #expect(try await refused.waitForExit(within: 20) != 0)
                return refused.errorOutput
            }
            #expect(try await refusal("/live/canalX").contains("there is no channel canalX; did you mean canal"))
            #expect(try await refusal("/vod/canalA").contains("there is no channel at this address"))
            #expect(try await refusal("/live/canalA?preset=gigantic").contains("there is no preset"))
            #expect(
                try await refusal("/live/canalA", codecs: ["-c:v", "libx264", "-c:a", "libmp3lame"]).contains(
                    "MP3 is not supported; set the encoder to AAC"))
            let first = try Self.publisher(to: "\(base)/live/canalA")
            try await Self.waitUntilLive(server, first)
            #expect(try await refusal("/live/canalA").contains("the channel already has a publisher"))
            #expect(first.isRunning)
            first.kill()
        }

        /// In the key, in the application, and as the answer to a challenge, which ffmpeg gives when it is asked.
        @Test func encodersLogIn() async throws {
            let server = try AntenaProcess(channelFields: ["canalA": PublishingTests.credentials])
            try await server.start()
            let host = "127.0.0.1:\(server.wowzaPort)"
            for path in ["/live/canalA?user=ana&pass=falso", "/live/canalA?token=secreto"] {
                let refused = try Self.publisher(to: "rtmp://\(host)\(path)")
                #expect(try await refused.waitForExit(within: 30) != 0)
                #expect(refused.errorOutput.contains("the username, password or token is wrong"))
            }
            for url in [
                "rtmp://\(host)/live/canalA.stream?user=ana&pass=secreto",
                "rtmp://\(host)/live?user=ana&pass=secreto/canalA",
            ] {
                let publisher = try Self.publisher(to: url)
                try await Self.waitUntilLive(server, publisher)
                publisher.kill()
                _ = try await eventually("the push has ended") {
                    try await server.channelState("canalA") != "live" ? true : nil
                }
            }
            // An encoder that was refused is asked for username and password with the next connection.
            let url = "rtmp://ana:secreto@\(host)/live/canalA"
            let unasked = try Self.publisher(to: url)
            #expect(try await unasked.waitForExit(within: 20) != 0)
            #expect(unasked.errorOutput.contains("a login is needed"))
            let asked = try Self.publisher(to: url)
            try await Self.waitUntilLive(server, asked)
            asked.kill()
            let log = server.log
            #expect(!log.contains("secreto") && !log.contains("falso"), "the log names passwords")
        }

        /// What is no RTMP, and what stops in the middle, disturbs nobody.
        @Test func garbageAndHalfOpenConnectionsDisturbNobody() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try Self.publisher(to: "rtmp://127.0.0.1:\(server.wowzaPort)/live/canalA")
            try await Self.waitUntilLive(server, publisher)
            let script = "\(Repository.path)/Tests/Support/rtmp-garbage.py"
            let result = try await ExternalTool("python3").run([script, "\(server.wowzaPort)"], deadline: 60)
            #expect(result.text.contains("300 connections"), "\(result.text) \(result.errorOutput)")
            #expect(publisher.isRunning && server.isRunning)
            _ = try await LiveTests.window(of: server, count: 2)
            publisher.kill()
        }
    }
}
