import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Display properties of the video, and decodability in players.
    @Suite struct VideoFormTests {
        /// Aspect ratios stored only in the container: MP4 packaged in place, Matroska copied, MPEG-4 Visual
        /// transcoded.
        @Test func theShapeOfPixelsIsTheContainers() async throws {
            let names = ["wide.mp4", "wide.mkv", "wide-old.mov"]
            let server = try await AntenaProcess.serving { folder in
                for name in names {
                    let square = try folder.file("square-\(name)")
                    let video = name == "wide-old.mov" ? ["-c:v", "mpeg4"] : SourceFile.h264
                    try await MediaClients.make(square, SourceFile.pattern() + video)
                    try await MediaClients.make(
                        folder.file("media/vod/\(name)"), ["-i", square, "-c", "copy", "-aspect", "4:1"])
                }
            }
            for name in names {
                let title = try await server.ingested(name)
                #expect(title.state == "ready", "\(name): \(title.error ?? "")")
                // ffmpeg's HLS demuxer ignores the container's aspect ratio, so the test probes the file that a player
                // assembles.
                let shape = try await shapeOfFirstSegment(of: title, on: server)
                #expect(shape == "9:4", "\(name)")
                guard name != "wide-old.mov" else { continue }
                let source = try await MediaClients.frameDigests("\(server.folder.path)/media/vod/\(name)")
                let played = try await MediaClients.frameDigests(server.origin + title.playlist)
                #expect(played == source, "\(name) is not converted")
            }
        }

        @Test func brightImagesSaySo() async throws {
            let ranges = [
                ("pq.mp4", "smpte2084", "PQ"), ("hlg.mkv", "arib-std-b67", "HLG"), ("sdr.mp4", "bt709", "SDR"),
            ]
            let server = try await AntenaProcess.serving { folder in
                for (name, transfer, _) in ranges {
                    try await MediaClients.make(
                        folder.file("media/vod/\(name)"),
                        SourceFile.pattern() + [
                            "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-tag:v",
                            name.hasSuffix(".mp4") ? "hvc1" : "0", "-x265-params",
                            "log-level=none:keyint=25:pools=1:frame-threads=1:transfer=\(transfer)",
                        ])
                }
            }
            for (name, _, range) in ranges {
                let title = try await server.ingested(name)
                let document = PlaylistDocument(
                    try await ConformanceClient(server: server).playlist(server.origin + title.playlist))
                for tag in document.all("EXT-X-STREAM-INF") + document.all("EXT-X-I-FRAME-STREAM-INF") {
                    #expect(tag.attributes["VIDEO-RANGE"] == range, "\(name): \(tag.name)")
                }
                try await server.expectConformance(of: title.playlist)
            }
        }

        /// Files with codecs that HLS supports but profiles that it does not, in MP4 and other containers.
        @Test func whatPlayersCannotDecodeIsConverted() async throws {
            let both = SourceFile.both
            func x264(_ format: String) -> [String] {
                ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", format, "-g", "25"]
            }
            let files: [(name: String, arguments: [String])] = [
                ("ten.mp4", both + x264("yuv420p10le") + SourceFile.aac),
                ("chroma.mov", both + x264("yuv422p") + SourceFile.aac),
                ("lossless.mkv", both + x264("yuv420p") + ["-qp", "0"] + SourceFile.aac),
                (
                    "hevc-chroma.mp4",
                    SourceFile.pattern() + [
                        "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv422p10le", "-tag:v", "hvc1",
                        "-x265-params", "log-level=none:pools=1:frame-threads=1",
                    ]
                ),
                ("main-profile.mp4", both + SourceFile.h264 + ["-c:a", "aac", "-profile:a", "aac_main"]),
            ]
            let server = try await AntenaProcess.serving { folder in
                for file in files { try await MediaClients.make(folder.file("media/vod/\(file.name)"), file.arguments) }
            }
            for file in files {
                let title = try await server.ingested(file.name)
                #expect(title.state == "ready", "\(file.name): \(title.error ?? "")")
                let url = server.origin + title.playlist
                let document = PlaylistDocument(try await ConformanceClient(server: server).playlist(url))
                let codecs = document.all("EXT-X-STREAM-INF").compactMap { $0.attributes["CODECS"] }
                    .flatMap { $0.split(separator: ",") }
                #expect(!codecs.isEmpty)
                for codec in codecs {
                    let isPlayed = ["avc1.42", "avc1.4d", "avc1.64", "mp4a.40.2"].contains { codec.hasPrefix($0) }
                    #expect(isPlayed, "\(file.name): \(codec)")
                }
                let source = "\(server.folder.path)/media/vod/\(file.name)"
                let expected = try await MediaClients.frames(source).count
                #expect(try await MediaClients.frames(url).count == expected, "\(file.name)")
            }
        }

        /// HLS Authoring Specification 1.19.
        @Test func slowMotionHasSixtyFramesPerSecond() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(
                    folder.file("media/vod/slow.mp4"), SourceFile.pattern("120") + SourceFile.h264)
                try await MediaClients.make(
                    folder.file("media/vod/fluent.mp4"), SourceFile.pattern("60") + SourceFile.h264)
            }
            for name in ["slow.mp4", "fluent.mp4"] {
                let title = try await server.ingested(name)
                #expect(title.state == "ready", "\(title.error ?? "")")
                let count = try await MediaClients.frames(server.origin + title.playlist).count
                #expect((299...301).contains(count), "\(name): \(count) frames of 5 s")
            }
            let movies = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data/movies")
            #expect(movies.map { String($0.prefix(4)) } == ["slow"])
        }

        private func shapeOfFirstSegment(
            of title: AntenaProcess.Entry, on server: AntenaProcess
        ) async throws -> String {
            let media = title.playlist.replacing("playlist.m3u8", with: "video.m3u8")
            let rendition = try await ConformanceClient(server: server).rendition(server.origin + media)
            let document = PlaylistDocument(rendition.playlist)
            let header = try #require(document.initializationSections.compactMap { $0 }.first)
            let segment = try #require(document.segments.first?.uri)
            let bytes = [header, segment].flatMap { uri in
                rendition.resources[resolve(uri, against: server.origin + media)]?.bytes ?? []
            }
            let path = try server.folder.file("first-segment.mp4")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let result = try await ExternalTool.ffprobe().run(
                [
                    "-v", "error", "-select_streams", "v", "-show_entries", "stream=sample_aspect_ratio", "-of",
                    "csv=p=0", path,
                ], deadline: 60)
            return result.lines.first { !$0.isEmpty }.map { String($0.prefix { $0 != "," }) } ?? ""
        }
    }
}
