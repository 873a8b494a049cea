import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import LibraryDetails
import MediaCore
import MediaFolders
import MediaWorkerTestSupport
import Testing

@testable import VODLibrary

/// Songs in the formats that libav plays, with their tags, through the real worker.
struct TrackFormatTests {
    private let fixtures: WorkerFixtures
    private let library: LibraryFixture

    init() throws {
        fixtures = try WorkerFixtures()
        library = try LibraryFixture(realWorker: true)
    }

    /// Formats that Debian's ffmpeg writes: the name of the file, the encoder, and whether the format has tags.
    private static let encoded = [
        ("song.wv", "wavpack", true), ("song.tta", "tta", true), ("song.aiff", "pcm_s16be -write_id3v2 1", true),
        ("song.aifc", "pcm_s16le -write_id3v2 1 -f aiff", true), ("named.aif", "pcm_s16be", false),
        ("song.mka", "libvorbis", true), ("song.wma", "wmav2", true), ("song.asf", "wmav2", true),
        ("song.spx", "libspeex", true), ("song.caf", "alac", true), ("song.weba", "libopus -f webm", true),
        ("song.m4r", "aac -f mp4", true), ("song.mp2", "mp2", false), ("song.ac3", "ac3", false),
        ("song.eac3", "eac3", false), ("song.dts", "dca -strict -2", false), ("song.ra", "ac3 -f rm", false),
        ("song.au", "pcm_s16be", false),
    ]

    @Test(arguments: encoded) func aSongBecomesATrackWithItsTags(
        _ name: String, _ encoder: String, _ hasTags: Bool
    ) async throws {
        let path = try fixtures.makeMedia(
            name, seconds: 1,
            "-vn -metadata artist=Ana -metadata album=Uno -metadata genre=Jazz -metadata date=1987 -c:a \(encoder)")
        try FileManager.default.moveItem(atPath: path, toPath: library.audio(name))
        let track = try await ingested(name)
        if hasTags {
            #expect(track.title == "A title" && track.artist == "Ana" && track.album == "Uno" && track.genre == "Jazz")
            #expect(track.year == 1_987)
        }
    }

    /// Takes a file in, and checks that its conversion plays for half a second to a second.
    private func ingested(_ name: String) async throws -> AudioTrackRecord {
        try await library.settle()
        let track = try #require(try await library.track(name))
        #expect(track.state == .ready, "\(track.error ?? "")")
        #expect((0.4...1.2).contains(track.duration ?? 0), "\(track.duration ?? 0)")
        let path = try #require(track.mediaPath)
        #expect(try fixtures.probe(path, "-show_entries stream=codec_name -of csv=p=0").hasPrefix("aac"))
        try WorkerFixtures.run("ffmpeg", ["-nostdin", "-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
        #expect(await library.library.misplacedFiles().isEmpty)
        return track
    }

    /// Formats that nothing in Debian writes.
    @Test(arguments: ["song.ape", "song.mpc", "song.dsf", "song.amr"])
    func aSongThatNoEncoderWritesBecomesATrack(_ name: String) async throws {
        let bytes =
            switch name {
            case "song.ape": HandmadeAudio.monkeysAudio()
            case "song.mpc": HandmadeAudio.musepack()
            case "song.dsf": HandmadeAudio.dsf()
            default: HandmadeAudio.amr()
            }
        try library.write(Data(bytes), to: library.audio(name))
        let track = try await ingested(name)
        if name != "song.amr" {
            #expect(track.title == "Dúo" && track.artist == "Ana, Eva")
            #expect(track.details.texts(.genres) == ["Jazz", "Pop"])
        }
    }

    @Test func anASFWithoutVideoIsATrackAndOneAmongTheTitlesATitle() async throws {
        let path = try fixtures.makeMedia("film.asf", seconds: 1, "-c:v msmpeg4v3 -c:a wmav2")
        try FileManager.default.moveItem(atPath: path, toPath: library.vod("film.asf"))
        try await library.settle()
        #expect(try await library.title("film.asf")?.state == .ready)
        #expect(await library.library.misplacedFiles().isEmpty)
    }

    /// A tag of a cover and of several values, as MusicBrainz Picard writes it.
    @Test func theCoverOfAnAPETagComesAlong() async throws {
        let image = try fixtures.makeMedia("cover.png", seconds: 1, "-an -frames:v 1")
        let cover = Array("cover.png\0".utf8) + [UInt8](try Data(contentsOf: URL(filePath: image)))
        let path = try fixtures.makeMedia("song.wv", seconds: 1, "-vn -map_metadata -1 -c:a wavpack")
        let sound = try Data(contentsOf: URL(filePath: path))
        let end = try #require(sound.range(of: Data("APETAGEX".utf8))).lowerBound
        let tag = HandmadeAudio.apeTag([
            (key: "Artist", value: Array("Ana\0Eva".utf8), flags: 0),
            (key: "Cover Art (Front)", value: cover, flags: 2),
        ])
        try library.write(sound[..<end] + Data(tag), to: library.audio("song.wv"))
        let track = try await ingested("song.wv")
        #expect(track.artist == "Ana, Eva")
        #expect(track.coverMediaType == "image/png")
    }

    // MARK: Several values

    private func sound() throws -> Data {
        let path = try fixtures.makeMedia("a.mp3", seconds: 1, "-vn -c:a libmp3lame -write_xing 0 -id3v2_version 0")
        return try Data(contentsOf: URL(filePath: path))
    }

    @Test func searchFindsEachArtist() async throws {
        try library.write(Data(HandmadeAudio.id3Tag()) + sound(), to: library.audio("two-artists.mp3"))
        let track = try await ingested("two-artists.mp3")
        #expect(track.title == "Dúo" && track.artist == "Ana, Eva" && track.genre == "Jazz, Pop")
        for word in ["Ana", "eva", "Pop"] {
            let page = try await library.catalogue.tracks(matching: word, after: nil, limit: 10)
            #expect(page.items.map(\.file) == ["two-artists.mp3"], "\(word)")
        }
    }

    @Test func wideTextWithoutAByteOrderMarkIsRead() async throws {
        let title = "Sin BOM".utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        let tag = HandmadeAudio.id3Tag([(name: "TIT2", content: [1] + title)])
        try library.write(Data(tag) + sound(), to: library.audio("utf16-without-bom.mp3"))
        #expect(try await ingested("utf16-without-bom.mp3").title == "Sin BOM")
    }

    /// Vorbis comments with a name twice.
    @Test func repeatedCommentsAllCount() async throws {
        let path = try fixtures.makeMedia("a.flac", seconds: 1, "-vn -c:a flac")
        let comments = ["TITLE=Dúo", "ARTIST=Ana", "ARTIST=Eva", "GENRE=Jazz", "GENRE=Pop", "GENRE=jazz"]
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        try library.write(Data(HandmadeAudio.flac(bytes, comments: comments)), to: library.audio("song.flac"))
        let track = try await ingested("song.flac")
        #expect(track.artist == "Ana, Eva" && track.details.texts(.genres) == ["Jazz", "Pop"])
    }
}
