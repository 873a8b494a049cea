import Foundation
import ISOBMFF
import MediaCore
import TestSupport
import Testing

struct MovieTextTrackTests {
    /// Long enough to be replaced by a `vttc` with a `payl` and some text.
    private static let first = "A text of some length to be seen."
    private static let second = "Ω second"

    private static func movie() async throws -> [UInt8] {
        let folder = try TemporaryDirectory(label: "texts")
        let subtitles = try folder.write(
            "1\n00:00:00,500 --> 00:00:01,000\n\(first)\n\n2\n00:00:01,200 --> 00:00:01,900\n\(second)\n",
            to: "subtitles.srt")
        let path = try folder.file("film.mp4")
        _ = try await ExternalTool.ffmpeg().run([
            "-v", "error", "-nostdin", "-i", try await MovieFixture.brief.path(), "-i", subtitles, "-map", "0", "-map",
            "1", "-c", "copy", "-c:s", "mov_text", "-metadata:s:s:0", "language=fra", path,
        ])
        return try bytesOfFile(path)
    }

    @Test func readsTimedText() async throws {
        let file = InMemoryMovie(try await Self.movie())
        let track = try #require(try MovieTextTrack.all(in: file).first)
        #expect(track.language?.text == "fr" && track.format == .timedText && !track.isForced)
        let cues = try track.cues(in: file)
        #expect(cues.map(\.text) == [Self.first, Self.second])
        #expect(cues.map(\.start.seconds) == [0.5, 1.2])
        #expect(cues.map(\.end.seconds) == [1, 1.9])
    }

    /// The same file with WebVTT samples of the same size.
    @Test func readsWebVTT() async throws {
        var bytes = try await Self.movie()
        let entry = try #require(bytes.firstRange(of: Array("tx3g".utf8)))
        bytes.replaceSubrange(entry, with: Array("wvtt".utf8))
        let text = try #require(bytes.firstRange(of: Array(Self.first.utf8)))
        let sample = text.lowerBound - 2..<text.upperBound
        let cue = BoxNode("vttc", children: [BoxNode("payl", Array(repeating: 0x78, count: sample.count - 16))])
        bytes.replaceSubrange(sample, with: cue.bytes)
        let file = InMemoryMovie(bytes)
        let track = try #require(try MovieTextTrack.all(in: file).first)
        #expect(track.format == .webVTT)
        // The other samples do not contain such boxes.
        #expect(try track.cues(in: file).map(\.text) == [String(repeating: "x", count: sample.count - 16)])
    }

    @Test func chaptersAreNoSubtitles() async throws {
        let folder = try TemporaryDirectory(label: "texts")
        let chapters = try folder.write(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=Uno\n", to: "chapters.txt")
        let path = try folder.file("film.mp4")
        _ = try await ExternalTool.ffmpeg().run([
            "-v", "error", "-nostdin", "-i", try await MovieFixture.brief.path(), "-i", chapters, "-map", "0",
            "-map_metadata", "1", "-c", "copy", path,
        ])
        #expect(try MovieTextTrack.all(in: InMemoryMovie(try bytesOfFile(path))).isEmpty)
    }

    @Test func flippedBitsNeverTrap() async throws {
        let bytes = try await Self.movie()
        let movie = try #require(bytes.firstRange(of: Array("moov".utf8)))
        for bit in stride(from: movie.lowerBound * 8, to: bytes.count * 8, by: 17) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let file = InMemoryMovie(damaged)
            for track in (try? MovieTextTrack.all(in: file)) ?? [] { _ = try? track.cues(in: file) }
        }
    }
}
