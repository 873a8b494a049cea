import Catalogue
import DatabaseTestSupport
import Foundation
import MediaWorkerTestSupport
import Packaging
import TestSupport
import Testing

@testable import VODLibrary

/// Films in which one track or one edit is unusual: the tracks that can be played are played.
@Suite(.eachEngine) struct UnreadableTrackTests {
    private let fixtures: WorkerFixtures
    private let library: LibraryFixture

    init() throws {
        fixtures = try WorkerFixtures()
        library = try LibraryFixture(realWorker: true)
    }

    private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 0 -g 25 -s 160x90"

    /// Takes in a movie whose `moov` has been changed.
    private func take(
        _ arguments: String, seconds: Int = 3, _ change: (BoxNode) -> BoxNode
    ) async throws -> TitleRecord {
        let path = try fixtures.makeMedia("film.mp4", seconds: seconds, arguments)
        let nodes = BoxNode.parse(try Data(contentsOf: URL(filePath: path))).map { $0.type == "moov" ? change($0) : $0 }
        try library.write(Data(nodes.flatMap(\.bytes)), to: library.vod("film.mp4"))
        try await library.settle()
        return try #require(try await library.title("film.mp4"))
    }

    private func frameCount(_ title: TitleRecord) throws -> Int? {
        let text = try fixtures.probe(
            try #require(title.mediaPath),
            "-select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0")
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Float PCM, which neither HLS nor this libav knows.
    @Test func aSampleEntryThatNobodyKnowsCostsOnlyItsTrack() async throws {
        let title = try await take("\(Self.h264) -c:a aac") { movie in
            movie.replacing("stsd") { box in
                var changed = box
                // Without its descriptor libav does not know either what it is.
                for (type, other) in [("mp4a", "fpcm"), ("esds", "junk")] {
                    let place = box.content.indices.first { box.content[$0...].starts(with: Array(type.utf8)) }
                    guard let place else { continue }
                    changed.content.replaceSubrange(place..<place + 4, with: Array(other.utf8))
                }
                return changed
            }
        }
        #expect(title.state == .ready, "\(title.error ?? "")")
        #expect(title.audioCodec == nil && title.videoCodec == "H.264")
        #expect(title.leftOut?.isEmpty == false)
        let packaged = try #require(try await library.library.packagedTitle(title))
        #expect(packaged.video != nil && packaged.audio.isEmpty)
    }

    /// An empty box of the same length, because the samples' offsets count what precedes them.
    private static func withoutEntries(_ box: BoxNode) -> BoxNode? {
        BoxNode(box.type, [UInt8](repeating: 0, count: box.bytes.count - 8))
    }

    /// libav refuses the whole file because of its second track.
    private func takeMovieWithoutAudioDescription(_ video: String) async throws -> TitleRecord {
        try await take("\(video) -c:a aac") { movie in
            var position = -1
            return movie.replacing("trak") { trak in
                position += 1
                return position == 1 ? trak.replacing("stsd", with: Self.withoutEntries) : trak
            }
        }
    }

    @Test func audioWithoutASampleDescriptionCostsOnlyTheAudio() async throws {
        let title = try await takeMovieWithoutAudioDescription(Self.h264)
        #expect(title.state == .ready, "\(title.error ?? "")")
        #expect(title.mediaPath == library.vod("film.mp4"))
        #expect(title.leftOut?.hasPrefix("audio track 2") == true, "\(title.leftOut ?? "")")
        #expect(title.leftOut?.contains("no sample entry") == true)
        let packaged = try #require(try await library.library.packagedTitle(title))
        #expect(packaged.video != nil && packaged.audio.isEmpty)
        // libav made it of the same file.
        #expect(title.poster != nil)
    }

    /// The video has to be converted, for which libav must open the file.
    @Test func audioWithoutASampleDescriptionIsHiddenFromAConversion() async throws {
        let title = try await takeMovieWithoutAudioDescription("-c:v mpeg4 -s 160x90")
        #expect(title.state == .ready, "\(title.error ?? "")")
        #expect(title.mediaPath?.contains("/data/movies/") == true)
        #expect(title.leftOut?.hasPrefix("audio track 2") == true, "\(title.leftOut ?? "")")
        #expect(try frameCount(title) == 75)
    }

    /// Thirteen frames of a second; the film begins in the middle of the first.
    @Test func anEditIntoTheFirstFrameIsNoTruncation() async throws {
        let title = try await take(
            "-r 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 0 -g 5 -s 160x90 -an", seconds: 13
        ) { movie in
            movie.replacing("elst") { _ in BoxNode(full: "elst", [1, 12_500, 8_192, 0x10000]) }
        }
        #expect(title.state == .ready, "\(title.error ?? "")")
        #expect(title.leftOut == nil)
        let packaged = try #require(try await library.library.packagedTitle(title))
        #expect(packaged.video?.segments.reduce(0) { $0 + $1.sampleCount } == 13)
    }

    /// The first ten frames are only there to be decoded.
    @Test func anEditThatHidesFramesIsConverted() async throws {
        let title = try await take("\(Self.h264) -r 30 -c:a aac") { movie in
            var position = -1
            return movie.replacing("trak") { trak in
                position += 1
                guard position == 0 else { return trak }
                return trak.replacing("elst") { _ in BoxNode(full: "elst", [1, 2_667, 5_120, 0x10000]) }
            }
        }
        #expect(title.state == .ready, "\(title.error ?? "")")
        #expect(title.leftOut == nil)
        let frames = try #require(try frameCount(title))
        #expect((79...81).contains(frames), "\(frames)")
    }

    /// The table of key frames begins behind the edit's first frame: nothing before it can be decoded.
    @Test func anEditInFrontOfTheFirstKeyFramePlaysFromThatKeyFrame() async throws {
        let title = try await take("\(Self.h264) -r 30 -c:a aac") { movie in
            var position = -1
            return movie.replacing("trak") { trak in
                position += 1
                guard position == 0 else { return trak }
                return trak.replacing("elst") { _ in BoxNode(full: "elst", [1, 2_667, 5_120, 0x10000]) }
                    .replacing("stss") { _ in BoxNode(full: "stss", [2, 26, 51]) }
            }
        }
        #expect(title.state == .ready, "\(title.error ?? "")")
        #expect(title.mediaPath?.contains("/data/movies/") != true, "nothing is converted")
    }

    /// A movie without its samples is truncated, whatever its durations say.
    @Test func aFileThatEndsEarlyIsStillRefused() async throws {
        let path = try fixtures.makeMedia("cut.mp4", "\(Self.h264) -c:a aac -movflags +faststart")
        let bytes = try Data(contentsOf: URL(filePath: path))
        try library.write(bytes.prefix(bytes.count - 2_000), to: library.vod("cut.mp4"))
        try await library.settle()
        let title = try #require(try await library.title("cut.mp4"))
        #expect(title.state == .failed)
        #expect(title.error?.contains("beyond the end") == true, "\(title.error ?? "")")
    }

    /// A proxy as an editor writes it: larger, first, and not enabled.
    @Test func ofTwoVideosTheEnabledOneIsShownAlsoWhenItIsConverted() async throws {
        let path = fixtures.path("two.mp4")
        try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-f",
                "lavfi",
                "-i", "testsrc2=size=160x90:rate=25:duration=2", "-map", "0:v", "-map", "1:v", "-c:v", "mpeg4",
                "-disposition:v:0", "0", "-disposition:v:1", "default", path,
            ])
        let nodes = BoxNode.parse(try Data(contentsOf: URL(filePath: path))).map { node in
            guard node.type == "moov" else { return node }
            var position = -1
            return node.replacing("tkhd") { box in
                position += 1
                return box.setting(position == 0 ? 2 : 3, at: 0)
            }
        }
        try library.write(Data(nodes.flatMap(\.bytes)), to: library.vod("two.mp4"))
        try await library.settle()
        let title = try #require(try await library.title("two.mp4"))
        #expect(title.state == .ready, "\(title.error ?? "")")
        #expect(title.width == 160)
    }
}
