import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Files in many containers and codecs: players get the same frames at the same times as the source has, and as
    /// many audio packets.
    @Suite struct ContainerTests {
        @Test(.timeLimit(.minutes(6))) func playsMP4WhereItIs() async throws { try await check(SourceFile.inPlace) }

        @Test(.timeLimit(.minutes(6))) func copiesTheStreamsOfOtherContainers() async throws {
            try await check(SourceFile.remuxed)
        }

        @Test func playsWhatGStreamerWrites() async throws {
            let server = try await AntenaProcess.serving { folder in
                for (name, muxer) in Self.muxers {
                    let path = try folder.file("media/vod/\(name)")
                    let pipeline = "-q \(muxer) name=mux ! filesink location=\(path) \(Self.sources)"
                    let arguments = pipeline.split(separator: " ").map(String.init)
                    _ = try await ExternalTool("gst-launch-1.0").run(arguments)
                }
            }
            for (name, _) in Self.muxers {
                let path = "\(server.folder.path)/media/vod/\(name)"
                let isInPlace = [".mp4", ".mov"].contains { name.hasSuffix($0) }
                let file = SourceFile(
                    name: name, outcome: isInPlace ? .inPlace : .remuxed, arguments: [],
                    codecs: ["avc1.42c00b", "mp4a.40.2"], comparesAudio: !name.hasSuffix(".ts"))
                try await check(file, at: path, on: server)
            }
        }

        private static let muxers = [
            ("gst.mp4", "mp4mux"), ("gst-fragmented.mp4", "mp4mux fragment-duration=1000"), ("gst.mov", "qtmux"),
            ("gst-faststart.mov", "qtmux faststart=true"), ("gst.mkv", "matroskamux"), ("gst.flv", "flvmux"),
            ("gst.ts", "mpegtsmux"),
        ]
        private static let sources =
            "videotestsrc num-buffers=100 ! video/x-raw,width=160,height=90,framerate=25/1 ! x264enc key-int-max=25 "
            + "bframes=0 speed-preset=ultrafast ! video/x-h264,profile=constrained-baseline ! h264parse ! queue ! mux. "
            + "audiotestsrc num-buffers=187 ! audio/x-raw,rate=48000,channels=2 ! voaacenc ! aacparse ! queue ! mux."

        // MARK: Checking

        private func check(_ files: [SourceFile]) async throws {
            let server = try await AntenaProcess.serving { folder in
                for file in files { try await file.make(at: folder.file("media/vod/\(file.name)")) }
            }
            for file in files {
                do {
                    try await check(file, at: "\(server.folder.path)/media/vod/\(file.name)", on: server)
                } catch {
                    Issue.record("\(file.name): \(error)")
                }
            }
        }

        private func check(_ file: SourceFile, at path: String, on server: AntenaProcess) async throws {
            let title = try await server.ingested(file.name)
            try #require(title.state == "ready", "\(file.name): \(title.error ?? "")")
            let movies = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data/movies")
            // A title's ID may be the beginning of another one's: gst and gst-2.
            let isInPlace = !movies.contains { $0.split(separator: "-").dropLast().joined(separator: "-") == title.id }
            #expect(isInPlace == (file.outcome == .inPlace), "\(file.name)")

            let url = server.origin + title.playlist
            let document = PlaylistDocument(try await ConformanceClient(server: server).playlist(url))
            let codecs = document.all("EXT-X-STREAM-INF").compactMap { $0.attributes["CODECS"] }
            let declared = Set(codecs.flatMap { $0.split(separator: ",").map(String.init) })
            // Encoders choose profile and level themselves.
            #expect(
                Set(declared.map(Self.withoutLevel)) == Set(file.codecs.map(Self.withoutLevel)),
                "\(file.name): \(declared)")
            try await server.expectConformance(of: title.playlist)

            let expected = try await MediaClients.frames(path)
            let actual = try await MediaClients.frames(url)
            #expect(actual.count == expected.count, "\(file.name)")
            guard file.outcome != .converted else { return }
            #expect(actual.map(\.digest) == expected.map(\.digest), "\(file.name)")
            let drift = zip(actual, expected).map { abs($0.time - $1.time) }.max() ?? 0
            #expect(drift < 0.002, "\(file.name): \(drift) s")
            guard file.comparesAudio, declared.count > 1 else { return }
            // Players use the default audio track, which is the first in all these files.
            let audioTracks = try await MediaClients.audioPacketDigests(url)
            #expect(audioTracks == (try await MediaClients.audioPacketDigests(path)), "\(file.name)")
        }

        private static func withoutLevel(_ codec: String) -> String {
            let isVideo = ["avc1", "hvc1", "av01"].contains { codec.hasPrefix($0) }
            return isVideo ? String(codec.prefix(4)) : codec
        }
    }
}
