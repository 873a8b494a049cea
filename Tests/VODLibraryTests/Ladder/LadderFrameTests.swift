import Foundation
import MediaCore
import MediaWorker
import MediaWorkerTestSupport
import Packaging
import TestSupport
import Testing
import Transcoding

@testable import VODLibrary

/// Chunks that are encoded one by one have each of the source's frames once, at its time, even where they meet; groups
/// of pictures of at most 2 s that begin where those of the other renditions do; and segments where the title has them.
///
/// Two encodings are never equal, because each chunk begins its own rate control. So each frame of the source has a
/// brightness of its own, which identifies it after decoding.
struct LadderFrameTests {
    private static let rungs = [
        LadderRung(name: "b", width: 64, height: 36, frameRate: 30, bitRate: 150_000),
        LadderRung(name: "a", width: 48, height: 28, frameRate: 30, bitRate: 80_000),
    ]
    /// Two neighbours differ by 37 or more; the same one comes again after 184.
    static let brightness = "geq=lum=20+mod(N*37\\,184):cb=128:cr=128"
    private static let h264 = "-c:v libx264 -preset ultrafast -crf 12"

    struct Source: Sendable, CustomTestStringConvertible {
        var name: String
        var arguments: String
        var size = "96x54"
        var rate = "25"
        /// Enough for two chunks.
        var seconds = 20
        /// Behind the brightness.
        var filters = ""
        var hasAudio = true
        /// Of the file that ffmpeg has made.
        var edit: (@Sendable ([BoxNode]) -> [BoxNode])?
        /// The source's visible frames; `nil` for all.
        var shown: Range<Int>?
        /// Whether players can switch between the source and its renditions, which have closed groups of pictures in
        /// H.264.
        var isOffered = true
        var testDescription: String { name }
    }

    private static let sources = [
        Source(name: "in order", arguments: "\(h264) -pix_fmt yuv420p -bf 0 -g 50"),
        Source(name: "B-frames", arguments: "\(h264) -pix_fmt yuv420p -bf 3 -b_strategy 0 -g 75"),
        Source(
            name: "open groups",
            arguments: "\(h264) -pix_fmt yuv420p -bf 3 -b_strategy 0 -g 50 -x264-params open-gop=1", isOffered: false),
        Source(name: "groups of ten seconds", arguments: "\(h264) -pix_fmt yuv420p -bf 3 -b_strategy 0 -g 250"),
        Source(name: "groups of odd lengths", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 77 -sc_threshold 0"),
        Source(
            name: "fragmented", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 50 -movflags frag_keyframe+empty_moov"),
        Source(
            name: "variable rate", arguments: "-fps_mode vfr \(h264) -pix_fmt yuv420p -g 40",
            filters: ",select='mod(n\\,3)*mod(n\\,7)'"),
        Source(name: "30000/1001", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 60", rate: "30000/1001"),
        Source(
            name: "10 bits",
            arguments: "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=50:open-gop=0:crf=12 "
                + "-pix_fmt yuv420p10le -tag:v hvc1"),
        // Of what players decode, AV1 alone can have it.
        Source(
            name: "odd size",
            arguments: "-c:v libaom-av1 -cpu-used 8 -usage realtime -crf 12 -b:v 0 -g 50 -pix_fmt yuv420p",
            size: "97x53", isOffered: false),
        Source(name: "portrait", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 50", size: "54x96"),
        Source(name: "no sound", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 50", hasAudio: false),
        Source(name: "shorter than a chunk", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 50", seconds: 3),
        Source(name: "one frame", arguments: "-frames:v 1 \(h264) -pix_fmt yuv420p", seconds: 1),
        Source(name: "starts late", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 50 -output_ts_offset 7.3"),
        Source(
            name: "frame behind audio", arguments: "\(h264) -pix_fmt yuv420p -bf 2 -g 50 -fps_mode vfr",
            filters: ",setpts=PTS+1.5/TB"),
        // At 12,800 ticks a second.
        Source(
            name: "an edit list hides the first groups", arguments: "\(h264) -pix_fmt yuv420p -bf 0 -g 50",
            hasAudio: false, edit: editing(milliseconds: 14_000, start: 4 * 12_800), shown: 100..<450),
    ]

    private static func editing(milliseconds: UInt32, start: UInt32) -> @Sendable ([BoxNode]) -> [BoxNode] {
        { nodes in
            nodes.map { node in
                node.type == "moov"
                    ? node.replacing("elst") { _ in BoxNode(full: "elst", [1, milliseconds, start, 0x10000]) } : node
            }
        }
    }

    @Test(arguments: sources)
    func everyFrameComesOnceAtItsTime(_ source: Source) async throws {
        let fixture = try Self.fixture(source)
        #expect(try fixture.plan().parts.count >= (source.seconds >= 20 ? 2 : 1))
        let manifest = try await fixture.make()
        var expected = try Self.frames(fixture.path)
        if let shown = source.shown { expected = Array(expected[shown]) }
        #expect(zip(expected, expected.dropFirst()).allSatisfy { abs($0.level - $1.level) > 20 })
        var keyFrames: [[Double]] = []
        for rung in fixture.rungs {
            let movie = fixture.folder.files.moviePath(rung)
            try Self.expect(movie, shows: expected, rung.name)
            let groups = try fixture.times(movie, keyFrames: true)
            #expect(zip(groups, groups.dropFirst()).allSatisfy { $1 - $0 <= 2.15 })
            keyFrames.append(groups)
        }
        #expect(keyFrames[0] == keyFrames[1])
        // And so does the title that players get, whose segments begin where the source's do.
        let title = try await fixture.title().adding(manifest.movies(in: fixture.folder))
        #expect(title.ladder?.offersSource == source.isOffered)
        #expect(title.ladder?.rungs.count == 2)
        let video = try #require(title.video)
        for rung in title.ladder?.rungs ?? [] {
            let rendition = rung.rendition
            #expect(rendition.segments.count == video.segments.count)
            #expect(rendition.segments.reduce(0) { $0 + $1.sampleCount } == expected.count)
            #expect(rendition.firstSample(ofSegment: 0).presentationTime == manifest.movies.first?.start)
            for index in video.segments.indices {
                #expect(Self.start(ofSegment: index, rendition) == Self.start(ofSegment: index, video))
            }
        }
    }

    private static func start(ofSegment index: Int, _ rendition: PackagedRendition) -> MediaTime {
        MediaTime(
            value: rendition.firstSample(ofSegment: index).presentationTime, timescale: rendition.track.timescale)
    }

    private static func fixture(_ source: Source) throws -> LadderFixture {
        let audio = ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=\(source.seconds)", "-c:a", "aac"]
        let frame = "color=size=\(source.size):rate=\(source.rate):duration=\(source.seconds)"
        return try LadderFixture(rungs: rungs) { path in
            try WorkerFixtures.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", frame] + (source.hasAudio ? audio : [])
                    + ["-filter:v", brightness + source.filters]
                    + source.arguments.split(separator: " ").map(String.init) + [path])
            guard let edit = source.edit else { return }
            let nodes = edit(BoxNode.parse(try Data(contentsOf: URL(filePath: path))))
            try Data(nodes.flatMap(\.bytes)).write(to: URL(filePath: path))
        }
    }

    /// Each of the frames once, as bright as it was, and at its time from the first one on.
    static func expect(_ movie: String, shows expected: [(time: Double, level: Int)], _ name: String) throws {
        let frames = try frames(movie)
        #expect(frames.count == expected.count)
        let first = (try #require(frames.first?.time), try #require(expected.first?.time))
        let wrong = zip(frames, expected).enumerated().filter { _, pair in
            abs(pair.0.level - pair.1.level) > 12
                || abs((pair.0.time - first.0) - (pair.1.time - first.1)) > 0.000_1
        }
        #expect(wrong.map(\.offset) == [], "\(name): \(wrong.prefix(3).map(\.element))")
    }

    /// Time and mean brightness of each frame.
    static func frames(_ path: String) throws -> [(time: Double, level: Int)] {
        let text = try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-noautorotate", "-ignore_editlist", "1", "-i", path, "-map", "0:v",
                "-fps_mode", "passthrough", "-vf",
                "format=yuv420p,signalstats,metadata=mode=print:key=lavfi.signalstats.YAVG:file=-", "-f", "null", "-",
            ])
        var frames: [(time: Double, level: Int)] = []
        var time = 0.0
        for line in text.split(separator: "\n") {
            if let range = line.range(of: "pts_time:") {
                time = Double(line[range.upperBound...].prefix { $0 != " " }) ?? -1
            } else if let range = line.range(of: "YAVG=") {
                frames.append((time, Int((Double(line[range.upperBound...]) ?? -1).rounded())))
            }
        }
        return frames
    }
}
