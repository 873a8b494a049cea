import Foundation
import MediaWorkerTestSupport
import Testing

@testable import MediaWorker

/// Every frame of a file is in what is made of it, in its order and at its time.
struct WorkerPictureOrderTests {
    private let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    private static let h264 = "-c:v libx264 -preset ultrafast -bf 3 -b_strategy 0 -g 25 -threads 1"

    @Test(arguments: [
        ("a.avi", "\(h264) -pix_fmt yuv420p -c:a libmp3lame"),
        // The last key frame is 5 s away: nothing in between tells a period's end.
        ("long.avi", "\(h264) -g 250 -x264-params b-pyramid=normal -pix_fmt yuv420p -c:a libmp3lame"),
        ("hevc.avi", "-c:v libx265 -preset ultrafast -x265-params log-level=none -vtag HEVC -pix_fmt yuv420p -c:a ac3"),
    ])
    func copiesReorderedFramesOfAVI(name: String, arguments: String) async throws {
        let file = try fixtures.makeMedia(name, seconds: 5, arguments)
        let output = fixtures.path("out.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.copiedStreams == 2 && result.transcodedStreams == 0 && result.note == nil)
        let (expected, actual) = (try frames(file), try frames(output))
        #expect(expected.count == 125)
        #expect(actual.map(\.digest) == expected.map(\.digest))
        // Not from the first frame on: the audio begins at 0 in both.
        #expect(times(actual) == times(expected))
        #expect(try firstAudio(output) == firstAudio(file))
    }

    @Test(arguments: [
        ("reordered.avi", "\(h264) -pix_fmt yuv422p -c:a libmp3lame"),
        ("packed.avi", "-c:v libxvid -bf 2 -q:v 3 -c:a libmp3lame"),
        ("unpacked.avi", "-c:v mpeg4 -bf 2 -q:v 3 -c:a libmp3lame"),
        ("mpeg2.mkv", "-c:v mpeg2video -bf 2 -q:v 3 -c:a mp2"),
        ("a.wmv", "-c:v wmv2 -q:v 3 -c:a wmav2"),
        ("variable.mkv", "-vf select='mod(n,3)*mod(n,7)' -fps_mode vfr -c:v mpeg4 -bf 2 -q:v 3 -c:a libmp3lame"),
    ])
    func losesNoFrameInTranscoding(name: String, arguments: String) async throws {
        let file = try fixtures.makeMedia(name, seconds: 5, arguments)
        let output = fixtures.path("out.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.transcodedStreams >= 1)
        #expect(times(try frames(output)) == times(try frames(file)))
        // 0.98 and more, each frame; its neighbours have less than 0.95.
        let likeness = try likeness(file, output)
        #expect(try likeness.count == frames(file).count)
        #expect((likeness.min() ?? 0) > 0.97)
    }

    @Test func losesNoFrameOfATransportStream() async throws {
        let file = try fixtures.makeMedia("a.ts", seconds: 5, "-c:v mpeg2video -bf 2 -q:v 3 -c:a mp2")
        let output = fixtures.path("out.mp4")
        _ = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(try frames(output).count == 125)
        #expect((try likeness(file, output).min() ?? 0) > 0.97)
    }

    /// A frame that comes thirty after its turn: nobody can say when the others are shown.
    @Test func convertsFramesWhoseOrderContradictsItself() async throws {
        let file = try fixtures.makeMedia(
            "a.avi", seconds: 5, "\(Self.h264) -g 250 -pix_fmt yuv420p -c:a libmp3lame")
        let chunks = try AVIChunks(Data(contentsOf: URL(filePath: file)))
        try chunks.movingPicture(30, behind: 60).write(to: URL(filePath: file))
        let output = fixtures.path("out.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.copiedStreams == 1 && result.transcodedStreams == 1)
        #expect(result.note?.contains("the order of its frames cannot be determined") == true, "\(result.note ?? "")")
        #expect(try frames(output).count > 100)
    }

    // MARK: What ffmpeg makes of a file

    private func frames(_ path: String) throws -> [(time: Int, digest: Substring)] {
        let text = try WorkerFixtures.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-threads", "1", "-copyts", "-i", path, "-map", "0:v:0", "-fps_mode"]
                + ["passthrough", "-enc_time_base", "1:90000", "-f", "framemd5", "-"])
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
            guard fields.count >= 6, let ticks = Int(fields[2]) else { return nil }
            return (ticks, fields[5])
        }
    }

    /// Milliseconds, as coarse as Matroska's.
    private func times(_ frames: [(time: Int, digest: Substring)]) -> [Int] {
        frames.map { ($0.time + 90) / 180 * 2 }
    }

    private func firstAudio(_ path: String) throws -> String {
        try fixtures.probe(path, "-select_streams a -read_intervals %+#1 -show_entries packet=pts_time -of csv=p=0")
    }

    /// The structural similarity of each pair of frames.
    private func likeness(_ one: String, _ other: String) throws -> [Double] {
        let text = try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", one, "-i", other, "-lavfi",
                "[0:v]format=yuv420p,settb=1/25,setpts=N[a];[1:v]format=yuv420p,settb=1/25,setpts=N[b];"
                    + "[a][b]ssim=stats_file=-", "-fps_mode", "passthrough", "-f", "null", "/dev/null",
            ])
        return text.matches(of: /All:([0-9.]+)/).compactMap { Double($0.1) }
    }
}

/// Makes an AVI from its chunks of media; the index may be wrong.
private struct AVIChunks {
    private var head: Data
    private var chunks: [Data] = []
    private var tail: Data

    init(_ bytes: Data) throws {
        let list = try #require(bytes.firstRange(of: Data("movi".utf8)))
        let end = list.lowerBound + Self.length(bytes, at: list.lowerBound - 4)
        head = bytes[..<list.upperBound]
        tail = bytes[end...]
        var start = list.upperBound
        while start + 8 <= end {
            let next = min(end, start + 8 + (Self.length(bytes, at: start + 4) + 1) / 2 * 2)
            chunks.append(bytes[start..<next])
            start = next
        }
    }

    func movingPicture(_ number: Int, behind other: Int) throws -> Data {
        let frames = chunks.indices.filter { chunks[$0].starts(with: Data("00dc".utf8)) }
        try #require(frames.count > other)
        var moved = chunks
        moved.insert(moved[frames[number]], at: frames[other] + 1)
        moved.remove(at: frames[number])
        return moved.reduce(head, +) + tail
    }

    private static func length(_ bytes: Data, at offset: Int) -> Int {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
