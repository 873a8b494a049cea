import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// Other forms of a channel: audio only, MPEG-TS, I-frame playlists.
    @Suite struct VariantsTests {
        /// Arguments for video with reordered frames.
        private static let reordered = [
            "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-b_strategy", "0", "-pix_fmt", "yuv420p", "-g",
            "25", "-b:v", "300k", "-threads", "1",
        ]

        private static func load(_ server: AntenaProcess, _ name: String, count: Int) async throws -> RenditionLoad {
            let client = ConformanceClient(server: server)
            let url = "\(server.origin)/live/canalA.stream/\(name)"
            return try await eventually("\(count) segments; the server's log: \(server.log.suffix(1_500))") {
                let load = try await client.rendition(url)
                return PlaylistDocument(load.playlist).segments.count >= count ? load : nil
            }
        }

        /// The segments' resources, keyed by media sequence number.
        private static func resources(_ load: RenditionLoad) -> [Int: ResourceLoad] {
            let document = PlaylistDocument(load.playlist)
            return Dictionary(
                uniqueKeysWithValues: document.segments.enumerated().compactMap { index, segment in
                    load.resources[resolve(segment.uri, against: document.url)].map {
                        (document.mediaSequence + index, $0)
                    }
                })
        }

        @Test func playersChooseTheFrame() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 3)
            for query in ["", "?ll=0", "?format=ts"] {
                try await Self.expectFramesInPlayers(of: server.origin + LiveTests.playlist + query)
            }
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()
        }

        private static func expectFramesInPlayers(of url: String) async throws {
            let folder = try TemporaryDirectory(label: "variants")
            let frame = try folder.file("frame.png")
            try await MediaClients.make(frame, ["-i", url, "-frames:v", "1"])
            #expect(FileManager.default.fileExists(atPath: frame), "\(url)")
            let mpv = try await ExternalTool("mpv").run([
                "--no-config", "--ao=null", "--frames=25", "--vo=image", "--vo-image-format=jpg",
                "--vo-image-outdir=\(folder.path)/mpv", url,
            ])
            #expect(mpv.text.contains("(+) Video") && mpv.text.contains("(+) Audio"), "\(url)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/mpv").count == 25, "\(url)")
            let gstreamer = try BackgroundProgram(
                "gst-launch-1.0",
                [
                    "-v", "playbin", "uri=\(url)", "video-sink=fakesink name=frames silent=false",
                    "audio-sink=fakesink name=audioTracks silent=false",
                ])
            _ = try await eventually("GStreamer shows 40 frames of \(url): \(gstreamer.errorOutput)") {
                let lines = gstreamer.output.split(separator: "\n")
                let isPlaying = ["frames", "audioTracks"].allSatisfy { sink in
                    lines.count { $0.contains("\(sink): last-message = chain") } >= 40
                }
                return isPlaying ? true : nil
            }
            gstreamer.kill()
        }

        @Test func audioAloneCanBeChosen() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let window = try await LiveTests.window(of: server, count: 3)
            let document = PlaylistDocument(window.multivariant)
            let audioOnly = try #require(document.segments.last)
            #expect(audioOnly.tag("EXT-X-STREAM-INF")?.attributes["CODECS"] == "mp4a.40.2")
            let url = resolve(audioOnly.uri, against: document.url)
            #expect(try await MediaClients.codecs(url) == ["aac"])
            #expect(HLSConformance.check(window).map(\.description) == [])
            publisher.kill()
        }

        private static let hevc = [
            "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
            "log-level=none:keyint=25:min-keyint=25:bframes=2:pools=1:frame-threads=1",
        ]

        @Test(arguments: [reordered, hevc])
        func theTransportStreamHoldsTheSameFrames(_ codec: [String]) async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server), videoCodec: codec)
            let stream = try await Self.load(server, "ts.m3u8", count: 4)
            let (video, audio) = (
                try await Self.load(server, "video.m3u8", count: 4), try await Self.load(server, "audio.m3u8", count: 4)
            )
            let all = [stream, video, audio].map(Self.resources)
            let numbers = Set(all[0].keys).intersection(all[1].keys).intersection(all[2].keys).sorted()
            try #require(numbers.count >= 3)
            let sections = [video, audio].map { load in
                PlaylistDocument(load.playlist).initializationSections.first?.flatMap { uri in
                    load.resources[resolve(uri, against: load.playlist.url)]?.bytes
                } ?? []
            }
            let folder = try TemporaryDirectory(label: "variants")
            func write(_ name: String, _ bytes: [UInt8]) throws -> String {
                let path = "\(folder.path)/\(name)"
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                return path
            }
            let paths = [
                try write("all.ts", numbers.flatMap { all[0][$0]?.bytes ?? [] }),
                try write("video.mp4", sections[0] + numbers.flatMap { all[1][$0]?.bytes ?? [] }),
                try write("audio.mp4", sections[1] + numbers.flatMap { all[2][$0]?.bytes ?? [] }),
            ]
            #expect(try await MediaClients.frameDigests(paths[0]) == MediaClients.frameDigests(paths[1]))
            try await Self.expectTimes(of: paths[0], like: paths[1], paths[2])
            // HLS Authoring Specification 7.3, as a demultiplexer sees it.
            let log = try await ExternalTool.ffmpeg().run(
                ["-v", "debug", "-nostdin", "-i", paths[0], "-c", "copy", "-f", "null", "-"])
            #expect(!log.errorOutput.contains("Continuity check failed"))
            for number in numbers {
                try await Self.expectRandomAccess(try write("\(number).ts", all[0][number]?.bytes ?? []))
            }
            publisher.kill()
        }

        /// Checks that times in the transport stream equal those of the renditions and so increase across
        /// discontinuities.
        private static func expectTimes(of stream: String, like video: String, _ audio: String) async throws {
            let (frames, audioTracks) = (
                try await ProbedPacket.all(of: video), try await ProbedPacket.all(of: audio)
            )
            #expect(
                try await times(of: stream, "v")
                    == frames.map { Times(presentation: $0.presentationTime, decode: $0.decodeTime) })
            let times = try await times(of: stream, "a")
            #expect(times.count == audioTracks.count)
            for (time, sound) in zip(times, audioTracks) {
                // 48 kHz to 90 kHz.
                #expect(abs(time.presentation - sound.presentationTime * 15 / 8) <= 2)
            }
        }

        private struct Times: Equatable {
            var presentation: Int64
            var decode: Int64
        }

        /// The times of a stream, in ticks of 90 kHz.
        private static func times(of stream: String, _ kind: String) async throws -> [Times] {
            let result = try await ExternalTool.ffprobe().run([
                "-v", "error", "-select_streams", kind, "-show_entries", "packet=pts,dts", "-of", "csv=p=0", stream,
            ])
            return result.lines.compactMap { line in
                let fields = line.split(separator: ",").compactMap { Int64($0) }
                return fields.count < 2 ? nil : Times(presentation: fields[0], decode: fields[1])
            }
        }

        /// Checks that a segment starts with PAT, PMT and a key frame with its parameter sets, so that it can be
        /// decoded alone.
        private static func expectRandomAccess(_ path: String) async throws {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let pids: [Int] = stride(from: 0, to: bytes.count, by: 188).map { start -> Int in
                let (high, low) = (Int(bytes[start + 1] & 0x1F), Int(bytes[start + 2]))
                return high << 8 | low
            }
            #expect(pids.prefix(2) == [0, 0x1000])
            let first = try await ExternalTool.ffprobe().run([
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", path,
            ])
            #expect(first.lines.first?.hasPrefix("K") == true)
            try await MediaClients.decode(path, seconds: 10)
        }

        @Test func theTransportStreamKeepsTheRules() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await Self.load(server, "ts.m3u8", count: 6)
            let load = try await ConformanceClient(server: server).load(LiveTests.playlist + "?format=ts")
            #expect(load.renditions.count == 1)
            #expect(load.renditions.allSatisfy { $0.resources.values.allSatisfy { $0.contentType == "video/mp2t" } })
            #expect(HLSConformance.check(load).map(\.description) == [])
            #expect(
                try await MediaClients.codecs(server.origin + LiveTests.playlist + "?format=ts") == ["h264", "aac"])
            publisher.kill()
        }

        @Test func aTransportStreamOfAudioAlonePlays() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server), videoCodec: ["-vn"])
            _ = try await Self.load(server, "ts.m3u8", count: 3)
            let url = server.origin + LiveTests.playlist + "?format=ts"
            #expect(try await MediaClients.codecs(url) == ["aac"])
            try await MediaClients.decode(url, seconds: 2)
            publisher.kill()
        }

        /// libav is not loaded before the first viewer of MPEG-TS.
        @Test func whoNeedsNoTransportStreamLoadsNoLibAV() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            _ = try await LiveTests.window(of: server, count: 2)
            func maps() async throws -> String {
                try await ExternalTool("cat").run(["/proc/\(server.processIdentifier)/maps"]).text
            }
            #expect(try await !maps().contains("libavformat"))
            _ = try await Self.load(server, "ts.m3u8", count: 2)
            #expect(try await maps().contains("libavformat"))
            publisher.kill()
        }

        @Test func eachEntryOfTheIFramePlaylistIsOneFrame() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server), videoCodec: Self.reordered)
            let load = try await Self.load(server, "iframes.m3u8", count: 4)
            let document = PlaylistDocument(load.playlist)
            #expect(document.first("EXT-X-I-FRAMES-ONLY") != nil)
            let resources = Self.resources(load)
            let folder = try TemporaryDirectory(label: "variants")
            for (index, entry) in document.segments.enumerated() {
                let range = try #require(entry.tag("EXT-X-BYTERANGE")?.value.split(separator: "@").first)
                let section = try #require(document.initializationSections[index])
                let start = try #require(load.resources[resolve(section, against: document.url)]).bytes
                let segment = try #require(resources[document.mediaSequence + index]).bytes
                let picture = start + segment.prefix(Int(range) ?? 0)
                let (one, whole) = ("\(folder.path)/\(index).mp4", "\(folder.path)/\(index)-whole.mp4")
                try Data(picture).write(to: URL(fileURLWithPath: one))
                try Data(start + segment).write(to: URL(fileURLWithPath: whole))
                // The `moof` also lists the samples that were left out; ffmpeg accepts that silently.
                #expect(
                    try await MediaClients.frameDigests(one) == Array(MediaClients.frameDigests(whole).prefix(1)))
            }
            let window = try await LiveTests.window(of: server, count: 6)
            #expect(window.multivariant.text.contains("#EXT-X-I-FRAME-STREAM-INF:"))
            var all = window
            all.renditions.append(try await Self.load(server, "iframes.m3u8", count: 6))
            #expect(HLSConformance.check(all).map(\.description) == [])
            publisher.kill()
        }
    }
}
