import Codecs
import Foundation
import ISOBMFF
import MediaCore
import MediaWorkerTestSupport
import NIOPosix
import Packaging
import Testing

@testable import MediaWorker

struct WorkerSlateTests {
    let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    private static func shape(
        _ width: Int = 320, _ height: Int = 240, rate: Int = 25, divisor: Int = 1, sampleRate: Int? = 48_000
    ) throws -> SlateShape {
        let json = """
            {"width": \(width), "height": \(height), "frameRate": \(rate), "frameRateDivisor": \(divisor),
             "keyFrameInterval": 2\(sampleRate.map { ", \"sampleRate\": \($0), \"channelCount\": 2" } ?? "")}
            """
        return try JSONDecoder().decode(SlateShape.self, from: Data(json.utf8))
    }

    private func make(_ shape: SlateShape, from file: String = "") async throws -> (path: String, slate: Slate) {
        let output = fixtures.path("slate.mp4")
        _ = try await WorkerProcess.run(
            WorkerRequest(task: .slate(output: output, shape: shape), input: file, limits: .slate),
            executable: WorkerFixtures.executable
        ) { _ in }
        let file = try MediaFile(path: output)
        return (output, try Slate(reading: PackagedTitle(index: MovieIndex.read(from: file), file: file)))
    }

    @Test func aCardIsMadeOfNothing() async throws {
        let (path, slate) = try await make(try Self.shape())
        #expect(slate.frames.count == 50)
        #expect(slate.duration == 2 * Int64(slate.timescale.ticksPerSecond))
        #expect(slate.frames.map(\.isRandomAccessPoint) == [true] + Array(repeating: false, count: 49))
        #expect(slate.frames.allSatisfy { $0.decodeTime == $0.presentationTime })
        #expect(slate.video.videoSize?.width == 320 && slate.video.videoSize?.height == 240)
        #expect(slate.silence?.audio.audioSampleRate == 48_000 && slate.silence?.audio.audioChannelCount == 2)
        #expect(slate.silence?.duration == 1_024)
        #expect(slate.byteCount < 100_000)
        let loudness = try WorkerFixtures.run(
            "ffprobe", ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path])
        #expect(loudness.split(separator: "\n") == ["h264", "aac"])
    }

    @Test func aClipKeepsItsFramesAtTheChannelsRate() async throws {
        let file = try fixtures.makeMedia("a.mkv", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a libopus")
        let (_, slate) = try await make(
            try Self.shape(640, 480, rate: 30_000, divisor: 1_001, sampleRate: nil), from: file)
        // Three seconds, and the last frame until the group of pictures is whole.
        #expect(slate.frames.count == 120)
        #expect(slate.frames.filter(\.isRandomAccessPoint).count == 2)
        #expect(slate.silence == nil)
        #expect(slate.video.videoSize?.width == 640)
    }

    @Test func aLongClipIsCut() async throws {
        let file = try fixtures.makeMedia("a.mp4", seconds: 25, "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -an")
        let (_, slate) = try await make(try Self.shape(160, 90), from: file)
        #expect(slate.frames.count == 25 * Int(Slate.maximumDuration.components.seconds))
    }

    @Test(arguments: ["png", "jpg"])
    func aFrameIsAStill(_ ending: String) async throws {
        let file = fixtures.path("still.\(ending)")
        try WorkerFixtures.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=100x300", "-frames:v", "1", file])
        let (path, slate) = try await make(try Self.shape(), from: file)
        #expect(slate.frames.count == 50)
        let pixels = try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-frames:v", "1", "-vf",
                "crop=40:240:0:0,signalstats,metadata=print:file=-",
                "-f", "null", "-",
            ])
        #expect(pixels.contains("YAVG=16"), "black beside it: \(pixels)")
        // Not for the library.
        await #expect(throws: WorkerFailure.self) {
            try await WorkerProcess.run(
                WorkerRequest(task: .probe, input: file, limits: .inspection), executable: WorkerFixtures.executable
            ) { _ in }
        }
    }

    /// A telephone's clip, which is stored lying on its side: it stands in the middle of black.
    @Test func aTurnedClipIsUpright() async throws {
        let stored = try fixtures.makeMedia("a.mp4", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -an")
        let file = fixtures.path("turned.mp4")
        try WorkerFixtures.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", stored, "-metadata:s:v", "rotate=90", "-c", "copy", file])
        let (path, _) = try await make(try Self.shape(), from: file)
        let pixels = try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-frames:v", "1", "-vf",
                "crop=60:240:0:0,signalstats,metadata=print:file=-", "-f", "null", "-",
            ])
        #expect(pixels.contains("YAVG=16"), "black beside it: \(pixels)")
    }

    @Test func whatIsNoClipSaysSo() async throws {
        let file = try fixtures.write("no media", to: "a.mp4")
        await #expect(throws: WorkerFailure.self) { try await make(try Self.shape(), from: file) }
        let missing = fixtures.path("missing.mp4")
        await #expect(throws: WorkerFailure.self) { try await make(try Self.shape(), from: missing) }
    }
}
