import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// GStreamer, the other widespread RTSP implementation, as publisher and as reader.
    @Suite struct GStreamerTests {
        /// Publishes H.264 and AAC, which `rtspclientsink` sends as LATM by default.
        static func publisher(
            to url: String, protocols: String, audio: [String] = ["avenc_aac"]
        ) throws -> BackgroundProgram {
            try BackgroundProgram(
                "gst-launch-1.0",
                [
                    "-q", "-e", "videotestsrc", "is-live=true", "pattern=ball", "!",
                    "video/x-raw,format=I420,width=320,height=180,framerate=25/1", "!", "x264enc", "tune=zerolatency",
                    "speed-preset=ultrafast", "key-int-max=25", "bitrate=300", "!", "sink.", "audiotestsrc",
                    "is-live=true", "!", "audioconvert", "!", "audioresample", "!",
                ] + audio + [
                    "!", "sink.", "rtspclientsink", "name=sink", "location=\(url)", "protocols=\(protocols)",
                    "tls-validation-flags=0",
                ])
        }

        /// The first `count` decoded frames in presentation order, each as its planes.
        static func frames(
            _ url: String, protocols: String, width: Int, height: Int, count: Int
        ) async throws -> [Data] {
            let folder = try TemporaryDirectory(label: "gstreamer")
            let file = try folder.file("pictures.yuv")
            // Sometimes rtspsrc has closed its own connection when the frames have arrived, and gst-launch fails
            // because it cannot send PAUSE. Only the received frames count.
            let result = try await ExternalTool("gst-launch-1.0").run(
                [
                    "-q", "rtspsrc", "location=\(url)", "protocols=\(protocols)", "tls-validation-flags=0", "!",
                    "rtph264depay", "!", "h264parse", "!", "avdec_h264", "!", "identity", "eos-after=\(count + 1)", "!",
                    "videocodectestsink", "location=\(file)",
                ], deadline: 60, requiringSuccess: false)
            let planes = try Data(contentsOf: URL(fileURLWithPath: file))
            let size = width * height * 3 / 2
            try #require(planes.count >= size * count, "\(result.errorOutput.suffix(1_500))")
            return stride(from: 0, through: planes.count - size, by: size).prefix(count).map {
                planes[$0..<($0 + size)]
            }
        }

        @Test(arguments: ["tcp", "udp"])
        func publishesAndReads(_ transport: String) async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try Self.publisher(to: LiveTests.address(server), protocols: transport)
            let window = try await LiveTests.window(of: server, count: 4)
            #expect(HLSConformance.check(window).map(\.description) == [])
            let url = server.origin + LiveTests.playlist
            #expect(try await MediaClients.codecs(url) == ["h264", "aac"])
            try await MediaClients.decode(url, seconds: 2)
            let frames: [Data]
            do {
                frames = try await Self.frames(
                    LiveTests.address(server), protocols: transport, width: 320, height: 180, count: 50)
            } catch {
                Issue.record("the server's log: \(server.log.suffix(1_500))")
                throw error
            }
            // The ball moves, so no two frames are equal.
            #expect(Set(frames).count == 50)
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()
        }

        @Test func publishesG711AndOpus() async throws {
            let server = try await AntenaProcess.serving()
            for (channel, audio, codecs) in [
                ("canalA", ["alawenc"], ["h264", "aac"]), ("canalB", ["opusenc"], ["h264", "aac", "opus"]),
            ] {
                let publisher = try Self.publisher(
                    to: LiveTests.address(server, channel), protocols: "tcp", audio: audio)
                let url = "\(server.origin)/live/\(channel).stream/playlist.m3u8"
                _ = try await eventually("\(channel) plays; \(publisher.errorOutput) \(server.log.suffix(1_500))") {
                    try await server.request("/live/\(channel).stream/playlist.m3u8").status == 200 ? true : nil
                }
                #expect(try await MediaClients.codecs(url) == Set(codecs))
                publisher.kill()
            }
        }

        /// The reader receives every frame of the file, from the first one on.
        @Test(arguments: ["tcp", "udp"])
        func readsATitle(_ transport: String) async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            let expected = try await ExternalTool.ffmpeg().run([
                "-v", "error", "-i", try await MovieFixture.bFrames.path(), "-map", "0:v:0", "-frames:v", "60", "-f",
                "rawvideo", "-",
            ])
            let frames = try await Self.frames(
                "rtsp://127.0.0.1:\(server.rtspPort)/vod/\(title.id)", protocols: transport, width: 160, height: 90,
                count: 60)
            #expect(frames.count == 60)
            #expect(Data(frames.joined()) == Data(expected.output))
        }
    }
}
