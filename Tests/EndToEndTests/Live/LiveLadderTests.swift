import Foundation
import Glibc
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    /// A channel whose video the server makes in lower qualities, from a push to players.
    @Suite struct LiveLadderTests {
        /// Pictures so small that they are made in time beside other tests.
        private static let channels = """
            {
              "presets": {
                "small": { "width": 160, "height": 90, "frameRate": 30, "videoBitrate": 120000, "audioBitrate": 64000 },
                "tiny": { "width": 96, "height": 54, "frameRate": 30, "videoBitrate": 60000, "audioBitrate": 64000 },
                "medium": { "width": 854, "height": 480, "frameRate": 30, "videoBitrate": 1200000, "audioBitrate": 96000 }
              },
              "channels": [
                { "name": "canalA", "defaultPreset": "medium", "presets": ["medium"], "segmentDuration": 1,
                  "targetDuration": 2, "ladder": ["tiny", "small"] }
              ]
            }
            """

        private struct Frames {
            var times: [String]
            var keyFrames: [String]
        }

        /// The frames of segments of a rendition that plays by itself.
        private static func frames(
            _ load: RenditionLoad, of numbers: Set<Int>, in folder: TemporaryDirectory
        ) async throws -> Frames {
            let document = PlaylistDocument(load.playlist)
            let section = try #require(document.initializationSections.compactMap { $0 }.last)
            var bytes = try #require(load.resources[resolve(section, against: load.playlist.url)]).bytes
            for (index, segment) in document.segments.enumerated()
            where numbers.contains(document.mediaSequence + index) {
                bytes += try #require(load.resources[resolve(segment.uri, against: load.playlist.url)]).bytes
            }
            let file = try folder.write(bytes, to: "rendition.mp4")
            let text = try await ExternalTool.ffprobe().run([
                "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time,key_frame", "-of", "csv=p=0",
                file,
            ])
            let rows = String(decoding: text.output, as: UTF8.self).split(separator: "\n").map {
                $0.split(separator: ",").map(String.init)
            }
            return Frames(
                times: rows.compactMap { $0.count > 1 ? $0[1] : nil },
                keyFrames: rows.compactMap { $0.first == "1" && $0.count > 1 ? $0[1] : nil })
        }

        private static func video(_ load: Presentation) -> [RenditionLoad] {
            load.renditions.filter { $0.playlist.url.contains("/video") }
        }

        private static func numbers(_ load: RenditionLoad) -> Set<Int> {
            let document = PlaylistDocument(load.playlist)
            return Set(document.mediaSequence..<(document.mediaSequence + document.segments.count))
        }

        @Test func everyPictureIsInEveryQualityAndAKilledEncoderComesBack() async throws {
            let server = try AntenaProcess(channels: Self.channels)
            try await server.start()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let path = LiveTests.playlist
            let window =
                try await eventually("three qualities with five segments", within: 60) {
                    guard let load = try? await ConformanceClient(server: server).load(path) else { return nil }
                    let videos = Self.video(load)
                    guard videos.count == 3 else { return nil }
                    return videos.map(Self.numbers).reduce(Self.numbers(videos[0])) { $0.intersection($1) }.count >= 5
                        ? load : nil
                } as Presentation
            #expect(HLSConformance.check(window).map(\.description) == [])
            let videos = Self.video(window)
            #expect(
                videos.map { $0.playlist.url.split(separator: "/").last } == [
                    "video.m3u8", "video-small.m3u8", "video-tiny.m3u8",
                ])
            let common = videos.map(Self.numbers).reduce(Self.numbers(videos[0])) { $0.intersection($1) }
            let folder = try TemporaryDirectory(label: "ladder")
            let source = try await Self.frames(videos[0], of: common, in: folder)
            #expect(source.times.count == common.count * 25 && source.keyFrames.count == common.count)
            for quality in videos.dropFirst() {
                let frames = try await Self.frames(quality, of: common, in: folder)
                #expect(frames.times == source.times)
                #expect(frames.keyFrames == source.keyFrames)
            }

            // Its encoder is killed: the source goes on, and the qualities come back.
            let worker = try #require(try LiveWorkerTests.workers(of: server).first)
            let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"))
            let before = Self.numbers(videos[0]).max() ?? 0
            #expect(Glibc.kill(worker, SIGKILL) == 0)
            let after =
                try await eventually("all qualities go on", within: 60) {
                    guard let load = try? await ConformanceClient(server: server).load(path) else { return nil }
                    let isFurther = Self.video(load).allSatisfy { (Self.numbers($0).max() ?? 0) >= before + 7 }
                    return Self.video(load).count == 3 && isFurther ? load : nil
                } as Presentation
            #expect(HLSConformance.check(after).map(\.description) == [])
            let playlist = PlaylistDocument(Self.video(after)[0].playlist)
            #expect(playlist.discontinuities.isEmpty && playlist.segments.allSatisfy { $0.tag("EXT-X-GAP") == nil })
            let newest = Set([(Self.video(after).map { Self.numbers($0).max() ?? 0 }.min() ?? 0)])
            let last = try await Self.frames(Self.video(after)[0], of: newest, in: folder)
            for quality in Self.video(after).dropFirst() {
                #expect(try await Self.frames(quality, of: newest, in: folder).times == last.times)
            }
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            publisher.kill()
            _ = try await eventually("the worker ends with the push") {
                try LiveWorkerTests.workers(of: server).isEmpty ? true : nil
            }
        }

        /// A match is kept on a channel, and the picture of one quality has its board, which others do not have.
        @Test func theScoreboardIsInThePictureOfAQuality() async throws {
            let channels = Self.channels.replacing(
                #""ladder": ["tiny", "small"]"#, with: #""scoreboardRendition": "scored", "scoreboardLanguage": "es""#
            ).replacing(
                #""tiny":"#,
                with: #"""
                    "scored": { "width": 320, "height": 180, "frameRate": 30, "videoBitrate": 600000, "audioBitrate": 64000 },
                    "tiny":
                    """#)
            let server = try AntenaProcess(channels: channels)
            try await server.start()
            func send(_ path: String, _ body: String) async throws -> WebReply {
                let reply = try await server.request(
                    "/api/v1/\(path)", method: "POST", headers: ["Content-Type": "application/json"], body: body)
                try #require((200..<300).contains(reply.status), "\(reply.text)")
                return reply
            }
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { publisher.kill() }
            let path = "\(LiveTests.playlist)?scoreboard=1"
            /// The board's part of the newest picture, as luma.
            func corner() async throws -> [UInt8] {
                let folder = try TemporaryDirectory(label: "board")
                let raw = try folder.file("corner.raw")
                _ = try await ExternalTool.ffmpeg().run([
                    "-nostdin", "-v", "error", "-live_start_index", "-1", "-i", "\(server.origin)\(path)", "-map",
                    "0:v:0",
                    "-frames:v", "1", "-vf", "crop=60:20:8:8", "-f", "rawvideo", "-pix_fmt", "gray", raw,
                ])
                return try bytesOfFile(raw)
            }
            _ = try await eventually("the quality is offered", within: 60) {
                let text = try await server.web.request(path).text
                return text.contains("video-scoreboard.m3u8") && !text.contains("video.m3u8") ? true : nil
            }
            #expect(!(try await server.web.request(LiveTests.playlist).text.contains("scoreboard")))
            /// Bright numbers on a dark ground: the publisher's picture is darker there.
            func hasBoard() async throws -> Bool {
                let luma = try await corner()
                return luma.count { $0 < 60 } > luma.count / 4 && luma.contains { $0 > 170 }
            }
            #expect(!(try await hasBoard()))
            let made = try await send(
                "matches", #"{"channel": "canalA", "rules": "volleyball", "sideA": ["Ана"], "sideB": ["山田"]}"#)
            let match = try #require(made.json["match"] as? String)
            _ = try await send("matches/\(match)/events", #"{"events": [{"type": "start"}]}"#)
            _ = try await eventually("the board is in the picture", within: 60) {
                try await hasBoard() ? true : nil
            }
            let status = try await server.request("/api/v1/channels/canalA").text
            #expect(status.contains("scored-scoreboard") && !status.contains("is not drawn"))
            let worker = try #require(try LiveWorkerTests.workers(of: server).first)
            let confinement = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
            #expect(confinement.contains("NoNewPrivs:\t1\n") && confinement.contains("Seccomp:\t2\n"))
        }
    }
}
