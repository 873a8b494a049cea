import Foundation
import Glibc
import LibraryCore
import TestSupport
import Testing

@testable import MediaFolders

/// The files that a scan skips: some of them are named, the rest are expected.
struct PassedOverTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory(label: "passed-over")
        for section in LibrarySection.allCases { _ = try folder.file("\(section.rawValue)/x") }
    }

    private func listing(_ section: LibrarySection) throws -> FolderListing {
        try MediaFolder(section: section, mediaDirectory: folder.path).listing()
    }

    private func passedOver(_ section: LibrarySection) throws -> [String: MisplacedFile.Reason] {
        try listing(section).misplaced.reduce(into: [:]) { $0[$1.file] = $1.reason }
    }

    /// Makes a file whose name is bytes that no `String` has.
    private func write(_ text: String, to folderName: String, _ name: [UInt8]) throws {
        let path = (Array("\(folder.path)/\(folderName)/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o644)
        try #require(descriptor >= 0)
        #expect(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
        close(descriptor)
    }

    @Test(arguments: LibrarySection.allCases) func filesOfUnknownKindsAreNamed(section: LibrarySection) throws {
        let name = section.rawValue
        for file in ["film.iso", "sub/song.mid", "without-extension", "stream.mpd", "notes.txt.zip"] {
            try folder.write("x", to: "\(name)/\(file)")
        }
        try folder.write("x", to: "\(name)/\(section == .titles ? "song.wv" : "film.mkv")")
        #expect(
            try passedOver(section) == [
                "film.iso": .unknownKind, "sub/song.mid": .unknownKind, "without-extension": .unknownKind,
                "stream.mpd": .unknownKind, "notes.txt.zip": .unknownKind,
                section == .titles ? "song.wv" : "film.mkv": .wrongFolder,
            ])
        let wrong = try listing(section).misplaced.first { $0.reason == .wrongFolder }
        #expect(wrong?.section == section.other)
    }

    @Test(arguments: LibrarySection.allCases) func whatIsExpectedBesideMediaIsPassedOverQuietly(
        section: LibrarySection
    ) throws {
        for file in [
            "film.nfo", "poster.jpg", "Cover.PNG", "booklet.pdf", "film.es.srt", "film.ass", "film.idx", "album.cue",
            "list.m3u", "list.M3U8", "list.pls", "list.xspf", "readme.txt", "README", "sums.sfv", "Thumbs.db",
            "desktop.ini", ".DS_Store", "._film.mp4", ".hidden/film.mp4", "film.mp4.part", "film.mp4.crdownload",
            "lyrics.lrc", "VIDEO_TS.IFO",
        ] { try folder.write("x", to: "\(section.rawValue)/\(file)") }
        try write("x", to: section.rawValue, Array("t".utf8) + [0xED] + Array("tulo.srt".utf8))
        #expect(try passedOver(section).isEmpty)
        #expect(try listing(section).files.isEmpty)
    }

    /// In both sections, at any depth and in any case; what lies in them cannot be asked for by name either.
    @Test(
        arguments: LibrarySection.allCases,
        [
            "@eaDir", "#recycle", "#snapshot", "@Recycle", "$RECYCLE.BIN", "System Volume Information", "lost+found",
            ".Trash", ".Trash-1000", ".Trashes", "__MACOSX",
        ])
    func systemFoldersAreNotSearched(section: LibrarySection, system: String) throws {
        let medium = section == .titles ? "film.mp4" : "song.mp3"
        for name in ["\(system)/\(medium)", "a/\(system)/b/\(medium)", "a/\(medium)", "\(system)/film.iso"] {
            try folder.write("x", to: "\(section.rawValue)/\(name)")
        }
        let found = try listing(section)
        #expect(found.files.map(\.name) == ["a/\(medium)"])
        #expect(found.misplaced.isEmpty && found.unreachable.isEmpty)
        let media = MediaFolder(section: section, mediaDirectory: folder.path)
        #expect(media.file(named: "a/\(system)/b/\(medium)") == nil && media.file(named: "a/\(medium)") != nil)
        #expect(try MediaFiles.below("\(folder.path)/\(section.rawValue)") == ["a/\(medium)"])
    }

    @Test(arguments: LibrarySection.allCases) func aNameThatIsNotUTF8IsNamedAndHidesNothing(
        section: LibrarySection
    ) throws {
        let (stem, ending) = section == .titles ? ("ok", ".mp4") : ("song", ".wv")
        try write("x", to: section.rawValue, Array(stem.utf8) + [0xFF] + Array(ending.utf8))
        try folder.write("x", to: "\(section.rawValue)/\(stem)\(ending)")
        let path = Array("\(folder.path)/\(section.rawValue)/".utf8) + [0xE9, 0x74, 0xE9, 0]
        #expect(mkdir(path.map { CChar(bitPattern: $0) }, 0o755) == 0)
        #expect(
            try passedOver(section) == ["\(stem)\u{FFFD}\(ending)": .nameNotUTF8, "\u{FFFD}t\u{FFFD}": .nameNotUTF8])
        #expect(try listing(section).files.map(\.name) == ["\(stem)\(ending)"])
        // The watcher walks through the same folders.
        let watcher = try #require(FolderWatcher(paths: ["\(folder.path)/\(section.rawValue)"]))
        #expect(watcher.isComplete(tree: 0))
        watcher.close()
    }

    @Test func whatCannotBeReachedIsNamed() throws {
        let deep = (0...MediaFolder.maximumDepth).map { "d\($0)" }.joined(separator: "/")
        try folder.write("x", to: "vod/\(deep)/film.mp4")
        #expect(mkfifo("\(folder.path)/vod/pipe.mp4", 0o644) == 0)
        let long = String(repeating: "n", count: 200)
        let path = Array(repeating: long, count: 5).joined(separator: "/") + "/" + String(long.prefix(30)) + ".mp4"
        try folder.write("x", to: "vod/\(path)")
        #expect(try passedOver(.titles) == [deep: .tooDeep, "pipe.mp4": .notAFile, path: .nameTooLong])
    }

    @Test func theirNumberIsLimited() throws {
        for number in 0...MediaFolder.maximumMisplacedCount { try folder.write("x", to: "audio/\(number).iso") }
        #expect(try listing(.tracks).misplaced.count == MediaFolder.maximumMisplacedCount)
    }

    @Test func asfBelongsToEitherSection() throws {
        for section in LibrarySection.allCases {
            try folder.write("x", to: "\(section.rawValue)/a.asf")
            #expect(try listing(section).files.map(\.name) == ["a.asf"])
        }
        #expect(try MediaFiles.below("\(folder.path)/vod") == ["a.asf"])
    }
}
