import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaFolders
import MediaWorkerTestSupport
import Testing

@testable import VODLibrary

/// The names of titles and tracks, and files in the wrong section.
@Suite(.eachEngine) struct FileNameTests {
    @Test func filesOfOneNameInSeveralFoldersAreToldApart() async throws {
        let library = try LibraryFixture()
        for name in ["Álbum 1/01.mp3", "Álbum 2/01.mp3", "2023/Directo.mp3", "2024/Directo.mp3"] {
            try library.write(Data("sound".utf8), to: library.audio(name))
        }
        try await library.settle()
        let titles = try await library.catalogue.allTracks().map(\.title).sorted()
        #expect(Set(titles).count == 4)
        #expect(titles.contains("Álbum 1 – 01") && titles.contains("Álbum 2 – 01"))
        #expect(titles.contains("Directo"))
        #expect(titles.contains("2023 – Directo") || titles.contains("2024 – Directo"))
        let ids = try await library.catalogue.allTracks().map(\.id)
        #expect(ids.contains("album-2-01") && !ids.contains("01-2"))
    }

    @Test func mediaInTheWrongSectionIsNamedUntilItIsMoved() async throws {
        let library = try LibraryFixture()
        try library.write(Data("sound".utf8), to: library.vod("Music/song.mp3"))
        try library.write(try SampleMedia.movie(), to: library.audio("film.mp4"))
        try library.write(Data("note".utf8), to: library.vod("note.txt"))
        try await library.settle()
        #expect(
            await library.library.misplacedFiles() == [
                MisplacedFile(file: "vod/Music/song.mp3", reason: .wrongFolder, section: .tracks),
                MisplacedFile(file: "audio/film.mp4", reason: .wrongFolder, section: .titles),
            ])
        try FileManager.default.moveItem(atPath: library.audio("film.mp4"), toPath: library.vod("film.mp4"))
        try FileManager.default.removeItem(atPath: library.vod("Music/song.mp3"))
        try await library.settle()
        #expect(await library.library.misplacedFiles().isEmpty)
        #expect(try await library.title("film.mp4")?.state == .ready)
    }
}

/// Tags of files from before Unicode; the worker's locale has no encoding of its own here.
@Suite(.eachEngine) struct TagEncodingTests {
    private let fixtures: WorkerFixtures
    private let library: LibraryFixture

    init() throws {
        fixtures = try WorkerFixtures()
        library = try LibraryFixture(realWorker: true)
    }

    private func sound() throws -> Data {
        let path = try fixtures.makeMedia("a.mp3", seconds: 1, "-vn -c:a libmp3lame -write_xing 0 -id3v2_version 0")
        return try Data(contentsOf: URL(filePath: path))
    }

    @Test func anID3v1TagInLatin1IsRead() async throws {
        func field(_ text: [UInt8], _ count: Int) -> [UInt8] { text + [UInt8](repeating: 0, count: count - text.count) }
        let title: [UInt8] = Array("Canci".utf8) + [0xF3] + Array("n vieja".utf8)
        let artist: [UInt8] = [0xD1] + Array("and".utf8) + [0xFA]
        let fields = [
            Array("TAG".utf8), field(title, 30), field(artist, 30), field([], 30), field([], 4), field([], 31),
        ]
        let tag = fields.flatMap(\.self)
        let bytes = try sound()
        let isTagged = bytes.suffix(128).starts(with: Array("TAG".utf8))
        try library.write((isTagged ? bytes.dropLast(128) : bytes) + Data(tag), to: library.audio("old.mp3"))
        try await library.settle()
        let track = try #require(try await library.track("old.mp3"))
        #expect(track.title == "Canción vieja", "\(track.error ?? "")")
        #expect(track.artist == "Ñandú")
    }

    /// Declared to be Latin-1, and Windows-1252 as nearly all such texts are.
    @Test func anID3v2TextThatIsNotDeclaredUnicodeIsRead() async throws {
        let text: [UInt8] = [0, 0x93] + Array("Canci".utf8) + [0xF3, 0x6E, 0x94]
        let frame: [UInt8] = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
        let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
        try library.write(Data(tag) + sound(), to: library.audio("new.mp3"))
        try await library.settle()
        #expect(try await library.track("new.mp3")?.title == "“Canción”")
    }
}
