import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct VideoOnDemandTests {
        /// MP4 files that are indexed in place: every frame and every audio packet is delivered unchanged.
        @Test(arguments: [MovieFixture.bFrames, .noBFrames, .hevc, .fragmented])
        func playsAnIndexedFileUnchanged(_ fixture: MovieFixture) async throws {
            let source = try await fixture.path()
            let server = try await AntenaProcess.serving { folder in
                try FileManager.default.copyItem(atPath: source, toPath: folder.file("media/vod/film.mp4"))
            }
            let title = try await server.ingested("film.mp4")
            #expect(title.state == "ready", "\(title.error ?? "")")
            let url = server.origin + title.playlist
            let expectedFrames = try await MediaClients.frameDigests(source)
            let expectedPackets = try await MediaClients.audioPacketDigests(source)
            #expect(try await MediaClients.frameDigests(url) == expectedFrames)
            #expect(try await MediaClients.audioPacketDigests(url) == expectedPackets)
            try await server.expectConformance(of: title.playlist)
        }

        @Test func remuxesMatroskaWithoutTouchingAFrame() async throws {
            let source = try await MovieFixture.bFrames.path()
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(folder.file("media/vod/film.mkv"), ["-i", source, "-c", "copy"])
            }
            let title = try await server.ingested("film.mkv")
            #expect(title.state == "ready", "\(title.error ?? "")")
            let expected = try await MediaClients.frameDigests(source)
            #expect(try await MediaClients.frameDigests(server.origin + title.playlist) == expected)
            try await server.expectConformance(of: title.playlist)
        }

        @Test func transcodesWebM() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(
                    folder.file("media/vod/film.webm"),
                    [
                        "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=4", "-f", "lavfi", "-i",
                        "sine=duration=4:sample_rate=48000", "-c:v", "libvpx", "-deadline", "realtime", "-c:a",
                        "libopus",
                    ])
            }
            let title = try await server.ingested("film.webm")
            #expect(title.state == "ready", "\(title.error ?? "")")
            let url = server.origin + title.playlist
            // The video has to be converted; HLS supports Opus.
            #expect(try await MediaClients.codecs(url) == ["h264", "opus"])
            #expect(abs(try await MediaClients.frameDigests(url).count - 100) <= 1)
            try await server.expectConformance(of: title.playlist)
        }

        @Test(arguments: ["/vod/mp4:film.mp4/playlist.m3u8", "/vod/_definst_/mp4:film.mp4/playlist.m3u8"])
        func answersToTheFormsOfAddressThatWowzaHas(_ path: String) async throws {
            let server = try await Self.servingOneFilm()
            #expect(try await server.ingested("film.mp4").state == "ready")
            try await MediaClients.decode(server.origin + path, seconds: 2)
            try await server.expectConformance(of: path)
        }

        @Test func compressesPlaylistsForThoseWhoAsk() async throws {
            let server = try await Self.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            let plain = try await server.request(title.playlist)
            let packed = try await server.request(title.playlist, headers: ["Accept-Encoding": "gzip"])
            #expect(plain.headers["content-encoding"] == nil)
            #expect(packed.headers["content-encoding"] == "gzip")
            let file = try server.folder.write(packed.body, to: "playlist.gz")
            #expect(try await ExternalTool("gzip").run(["-dc", file]).text == plain.text)
        }

        @Test func ingestsAFileThatACommandNames() async throws {
            let server = try await AntenaProcess.serving()
            let source = try await MovieFixture.noBFrames.path()
            let file = try server.folder.file("elsewhere/clip.mp4")
            try FileManager.default.copyItem(atPath: source, toPath: file)
            let result = try await server.command(["ingest", "--server", server.origin, file])
            #expect(result.status == 0)
            let title = try await server.ingested("clip.mp4")
            try await MediaClients.decode(server.origin + title.playlist, seconds: 2)
        }

        @Test func showsABarThatMovesWhereThereIsATerminal() async throws {
            let server = try await AntenaProcess.serving()
            // Neither the codec nor the container can be packaged in place.
            let file = try server.folder.file("elsewhere/long.avi")
            _ = try await ExternalTool("ffmpeg").run([
                "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=60", "-f", "lavfi",
                "-i", "sine=duration=60", "-c:v", "mpeg4", "-c:a", "ac3", file,
            ])
            let command =
                "'\(AntenaProcess.executable)' ingest --server \(server.origin) --data '\(server.folder.path)/data' '\(file)'"
            let result = try await ExternalTool("script").run(["-qec", command, "/dev/null"], deadline: 120)
            // A terminal shows each text in place of the previous one.
            let shown = result.text.replacing("\r\n", with: "\n").split(separator: "\r")
            let bars = shown.filter { $0.contains(/: \[#+\.+\] [0-9]+ % transcoding(, .* left)?\x1B\[K$/) }
            #expect(Set(bars).count >= 2, "\(result.text)")
            #expect(
                shown.contains { $0.contains(/transcoding, [0-9.]+ MB\/s, [0-9]+:[0-9]{2} left\x1B\[K$/) },
                "\(result.text)")
            let end = try #require(shown.last)
            #expect(end.contains(/long\.avi: ready in [0-9.]+ s, \/vod\/long\/playlist\.m3u8\x1B\[K\n$/), "\(end)")
        }

        /// - Parameter accounts: the section `accounts` of the configuration, as JSON; `nil` for the default.
        static func servingOneFilm(accounts: String? = nil) async throws -> AntenaProcess {
            let source = try await MovieFixture.bFrames.path()
            return try await AntenaProcess.serving { folder in
                if let accounts {
                    let file = "\(folder.path)/channels.json"
                    let channels = try String(contentsOfFile: file, encoding: .utf8)
                    try folder.write(
                        "{\"accounts\": \(accounts)," + channels.drop { $0 != "{" }.dropFirst(), to: "channels.json")
                }
                try FileManager.default.copyItem(atPath: source, toPath: folder.file("media/vod/film.mp4"))
            }
        }
    }
}
