import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// `antena broadcast` with RTSP servers other than Antena, which do not have Antena's API.
    @Suite struct BroadcastInteroperabilityTests {
        /// A video that fits the preset "medium", so that it is copied and can be compared bit for bit.
        private static let frameCount = 125

        private static func film(in folder: TemporaryDirectory) async throws -> String {
            let film = try folder.file("film.mp4")
            try await MediaClients.make(
                film,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=5", "-f", "lavfi", "-i",
                    "sine=duration=5",
                ] + BackgroundProgram.h264 + BackgroundProgram.aac)
            return film
        }

        private static func push(_ film: String, to url: String, _ more: [String] = []) throws -> BackgroundProgram {
            try BroadcastTests.start(["broadcast", "start", "--json", "--file", film, "--rtsp", url] + more)
        }

        /// - Parameter lostAtEnd: number of packets that a server still holds back when the session ends.
        private static func expect(_ received: String, isThatOf film: String, lostAtEnd: Int) async throws {
            let (sent, arrived) = (
                try await MediaClients.frameDigests(film), try await MediaClients.frameDigests(received)
            )
            #expect(sent.count == frameCount)
            #expect(arrived.count >= sent.count - lostAtEnd, "\(arrived.count) of \(sent.count)")
            #expect(arrived == Array(sent.prefix(arrived.count)))
            let (sentAudio, audio) = (
                try await MediaClients.audioPacketDigests(film), try await MediaClients.audioPacketDigests(received)
            )
            // The encoder's first frame is hidden by an edit list and may be missing.
            let start = sentAudio.firstIndex(of: audio.first ?? "") ?? -1
            #expect((0...1).contains(start) && audio.count >= sentAudio.count - 1 - lostAtEnd * 2, "\(start)")
            #expect(audio == Array(sentAudio.dropFirst(max(0, start)).prefix(audio.count)))
        }

        @Test(
            arguments: [("tcp", "none"), ("tcp", "digest"), ("udp", "basic")] as [(String, String)])
        func gStreamersServerGetsWhatIsSent(_ transport: String, _ authentication: String) async throws {
            let folder = try TemporaryDirectory(label: "gst")
            let film = try await Self.film(in: folder)
            let received = try folder.file("received.mkv")
            let server = try BackgroundProgram.script(
                "gst-record-server.py", [received, "--auth", authentication], interpreter: "/usr/bin/python3")
            let url = "rtsp://127.0.0.1:\(try await server.port())/record"
            let credentials =
                authentication == "none"
                ? [] : ["--user", "ana", "--password-file", try folder.write("sesame\n", to: "password")]
            let broadcast = try Self.push(film, to: url, ["--transport", transport] + credentials)
            #expect(try await broadcast.waitForExit(within: 40) == 0, "\(broadcast.errorOutput)")
            #expect(BroadcastTests.events(broadcast).last?["framesSent"] as? Int == Self.frameCount)
            server.kill()
            try await Self.expect(received, isThatOf: film, lostAtEnd: 12)
        }

        @Test func aTransportThatAServerDoesNotTakeIsSaid() async throws {
            let folder = try TemporaryDirectory(label: "gst")
            let film = try await Self.film(in: folder)
            let server = try BackgroundProgram.script(
                "gst-record-server.py", [try folder.file("x.mkv"), "--lower", "tcp"], interpreter: "/usr/bin/python3")
            let url = "rtsp://127.0.0.1:\(try await server.port())/record"
            let broadcast = try Self.push(film, to: url, ["--transport", "udp"])
            #expect(try await broadcast.waitForExit(within: 30) == 76)
            #expect(broadcast.errorOutput.contains("try --transport tcp"), "\(broadcast.errorOutput)")
        }

        /// `configure` does not need a web address for such a server, and still tests the connection.
        @Test func anotherServerIsConfiguredByItsWholeAddress() async throws {
            let folder = try TemporaryDirectory(label: "xdg")
            let film = try await Self.film(in: folder)
            let received = try folder.file("received.mkv")
            let server = try BackgroundProgram.script(
                "gst-record-server.py", [received], interpreter: "/usr/bin/python3")
            let url = "rtsp://127.0.0.1:\(try await server.port())/record"
            func run(_ arguments: [String]) async throws -> ExternalTool.Result {
                try await ExternalTool("env").run(
                    ["XDG_CONFIG_HOME=\(folder.path)", AntenaProcess.executable, "broadcast"] + arguments, deadline: 60,
                    requiringSuccess: false)
            }
            let configured = try await run(["configure", "--rtsp", url, "--preset", "medium"])
            #expect(configured.status == 0, "\(configured.errorOutput)")
            let pushed = try await run(["start", "--json", "--file", film])
            #expect(pushed.status == 0, "\(pushed.errorOutput)")
            server.kill()
            try await Self.expect(received, isThatOf: film, lostAtEnd: 12)
        }

        @Test(arguments: ["tcp", "udp"]) func ffmpegListeningGetsWhatIsSent(_ transport: String) async throws {
            let folder = try TemporaryDirectory(label: "listener")
            let film = try await Self.film(in: folder)
            let received = try folder.file("received.mkv")
            let url = "rtsp://127.0.0.1:\(try TCPPorts.free())/x"
            let listener = try BackgroundProgram(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-rtsp_flags", "listen", "-i", url, "-c",
                    "copy", received,
                ])
            // The server accepts one publisher, which must not be an early connection attempt.
            let broadcast = try Self.push(film, to: url, ["--transport", transport, "--wait"])
            #expect(try await broadcast.waitForExit(within: 40) == 0, "\(broadcast.errorOutput)")
            #expect(try await listener.waitForExit(within: 20) == 0, "\(listener.errorOutput)")
            // Frames that ffmpeg is still reordering when the session ends.
            try await Self.expect(received, isThatOf: film, lostAtEnd: transport == "udp" ? 12 : 2)
        }
    }
}
