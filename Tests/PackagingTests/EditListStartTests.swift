import Foundation
import ISOBMFF
import MediaCore
import Packaging
import TestSupport
import Testing

/// Edit lists whose presentation begins before anything can be decoded.
struct EditListStartTests {
    /// A movie whose first key frame is a later frame than the first presented one.
    private static func movie(firstKeyFrame: UInt32, mediaTime: UInt32) async throws -> [UInt8] {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try await MovieFixture.noBFrames.path())))
        /// The position after the name of the first box of a type: that of the video track.
        func box(_ type: String) throws -> Int {
            let name = Array(type.utf8)
            return try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + 4
        }
        func set(_ value: UInt32, at index: Int) {
            for offset in 0..<4 { bytes[index + offset] = UInt8(truncatingIfNeeded: value >> (24 - 8 * offset)) }
        }
        // Version, flags and the number of entries come first.
        set(firstKeyFrame, at: try box("stss") + 8)
        set(mediaTime, at: try box("elst") + 12)
        return bytes
    }

    @Test func presentationBeginsWithTheFirstKeyFrame() async throws {
        let directory = try TemporaryDirectory(label: "edit")
        let whole = try ExportedTitle(fileAt: try await MovieFixture.noBFrames.path())
        let rate = try #require(whole.title.video?.track.timescale.ticksPerSecond)
        let frame = rate * 1_001 / 30_000
        try directory.write(try await Self.movie(firstKeyFrame: 6, mediaTime: 2 * frame), to: "late.mp4")
        let late = try ExportedTitle(fileAt: "\(directory.path)/late.mp4")
        let video = try #require(late.title.video)
        #expect(video.segments.first?.firstSample == 5)
        // Three frames of the presentation cannot be shown; the audio begins with it.
        let start = Double(video.segments.first?.decodeTime ?? 0) / Double(rate)
        #expect(abs(start - 3 * 1_001.0 / 30_000) < 0.02, "\(start)")
        #expect(late.title.audio.count == 1)
    }

    /// A hidden frame after a key frame is still needed.
    @Test func aCutAfterAKeyFrameIsNotPlayedAsItIs() async throws {
        let directory = try TemporaryDirectory(label: "edit")
        let whole = try ExportedTitle(fileAt: try await MovieFixture.noBFrames.path())
        let rate = try #require(whole.title.video?.track.timescale.ticksPerSecond)
        try directory.write(try await Self.movie(firstKeyFrame: 1, mediaTime: rate / 3), to: "cut.mp4")
        #expect(throws: TitlePackagingError.self) { _ = try ExportedTitle(fileAt: "\(directory.path)/cut.mp4") }
    }
}
