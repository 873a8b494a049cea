import Foundation
import LibAV
import MediaCore
import TestSupport
import Testing

@testable import Capture

/// Files played at their own pace, on a clock that advances only while somebody sleeps.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BroadcastCaptureTests {
    /// A batch of outputs, and the time of its delivery in microseconds from the start.
    private struct Batch {
        var time: Int64
        var outputs: [BroadcastOutput]
    }

    /// Makes a video of 25 frames per second with a key frame every two seconds, and audio.
    ///
    /// - Parameter seconds: The duration.
    private static func film(_ seconds: Int, in folder: TemporaryDirectory) async throws -> String {
        let path = try folder.file("film.mp4")
        let result = try await ExternalTool.ffmpeg().run([
            "-hide_banner", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
            "testsrc2=size=320x180:rate=25:duration=\(seconds)", "-f", "lavfi", "-i",
            "sine=duration=\(seconds):sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-bf",
            "0", "-pix_fmt", "yuv420p", "-c:a", "aac", path,
        ])
        try #require(result.status == 0, "\(result.text)")
        return path
    }

    private static func capture(_ path: String, preview: PreviewRequest? = nil) async throws -> [Batch] {
        let clock = TestClock()
        let start = clock.microseconds
        let (batches, continuation) = AsyncStream<Batch>.makeStream()
        let encoding = BroadcastEncoding(
            width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000)
        let capture = try BroadcastCapture(
            .file(path: path, isRepeated: false), encoding: encoding, preview: preview, clock: clock.broadcastClock
        ) { outputs in
            continuation.yield(Batch(time: clock.microseconds - start, outputs: outputs))
            if case .ended? = outputs.last { continuation.finish() }
            if case .failed? = outputs.last { continuation.finish() }
        }
        var all: [Batch] = []
        for await batch in batches { all.append(batch) }
        capture.close()
        return all
    }

    private static func microseconds(_ unit: AccessUnit, of mediaType: MediaType) -> Int64 {
        unit.decodeTime * 1_000_000 / (mediaType == .video ? 90_000 : 48_000)
    }

    @Test func whatIsDueSoonGoesOutTogetherAndNothingLate() async throws {
        let folder = try TemporaryDirectory(label: "capture")
        let batches = try await Self.capture(Self.film(4, in: folder))
        var unitCount = 0
        for batch in batches {
            for case .unit(let mediaType, let unit) in batch.outputs {
                unitCount += 1
                let early = Self.microseconds(unit, of: mediaType) - batch.time
                #expect((-1_000...51_000).contains(early), "\(mediaType) at \(batch.time): \(early) us early")
            }
        }
        #expect(unitCount >= 100 + 187, "all frames and all audio")
        #expect(batches.count < unitCount / 3, "\(batches.count) wakings for \(unitCount) units")
        guard case .tracks(let tracks, let summary)? = batches.first?.outputs.first else {
            Issue.record("what there will be comes first")
            return
        }
        #expect(tracks == [.video, .audio])
        #expect(summary.video == "H.264 320x180, copied" && summary.audio == "AAC, copied")
    }

    @Test func keyFramesOfACopyAreShownWhereSomebodyLooks() async throws {
        let folder = try TemporaryDirectory(label: "capture")
        let film = try await Self.film(6, in: folder)
        func previews(_ request: PreviewRequest?) async throws -> [PreviewImage] {
            try await Self.capture(film, preview: request).flatMap(\.outputs).compactMap { output in
                if case .preview(let frame) = output { frame } else { nil }
            }
        }
        let shown = try await previews(PreviewRequest(form: .rgb, width: 160, height: 160, framesPerSecond: 5))
        #expect(shown.count == 3, "one each two seconds")
        #expect(shown.allSatisfy { $0.width == 160 && $0.height == 90 && $0.bytes.count == 160 * 90 * 3 })
        #expect(Set(shown.map(\.bytes)).count == 3, "the pattern moves")
        #expect(try await previews(nil).isEmpty)
    }
}
