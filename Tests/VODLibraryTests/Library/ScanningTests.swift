import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaCore
import MediaFolders
import Testing
import TestSupport

@testable import VODLibrary

@Suite(.eachEngine) struct ScanningTests {
    let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    @Test func aKnownFileThatIsBeingWrittenKeepsItsRecord() async throws {
        let path = try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        let id = try #require(try await fixture.title("film.mp4")).id
        // Touched this very moment.
        fixture.clock.set(WallClock.system.now())
        try fixture.write(SampleMedia.movie() + Data(count: 9), to: path)
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        try await fixture.library.scanner.scan(.titles)
        #expect(try await fixture.title("film.mp4")?.state == .ready)
        #expect(try await fixture.title("film.mp4")?.id == id)
        fixture.remove()
    }

    @Test func aNewFileIsTakenWhenTwoLooksFindItAlike() async throws {
        fixture.clock.set(WallClock.system.now() - .seconds(60))
        let path = try fixture.write(Data("a".utf8), to: fixture.vod("film.mp4"))
        try await fixture.library.scanner.scan(.titles)
        #expect(try await fixture.title("film.mp4") == nil)
        try fixture.write(Data("ab".utf8), to: path)
        try await fixture.library.scanner.scan(.titles)
        #expect(try await fixture.title("film.mp4") == nil)
        try await fixture.library.scanner.scan(.titles)
        #expect(try await fixture.title("film.mp4") != nil)
        fixture.remove()
    }

    @Test func aFolderThatIsNotThereLeavesTheLibraryAsItIs() async throws {
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        try FileManager.default.moveItem(atPath: "\(fixture.folder)/media", toPath: "\(fixture.folder)/unmounted")
        try await fixture.settle()
        #expect(try await fixture.title("film.mp4")?.state == .ready)
        fixture.remove()
    }

    @Test func onlyWhatIsBelowAnUnreachableFolderIsKept() async throws {
        for name in ["disk/a.mp4", "b.mp4", "diskette.mp4"] {
            try fixture.write(SampleMedia.movie(), to: fixture.vod(name))
        }
        try await fixture.settle()
        try FileManager.default.removeItem(atPath: fixture.vod("disk"))
        // As a link to a disk that is not mounted.
        try FileManager.default.createSymbolicLink(
            atPath: fixture.vod("disk"), withDestinationPath: "/nonexistent/disk")
        try FileManager.default.removeItem(atPath: fixture.vod("diskette.mp4"))
        try await fixture.settle()
        #expect(try await fixture.title("disk/a.mp4") != nil)
        #expect(try await fixture.title("b.mp4") != nil)
        #expect(try await fixture.title("diskette.mp4") == nil)
        fixture.remove()
    }

    @Test func aFileThatHasGoneTakesItsRecordAndWhatWasMadeOfItAlong() async throws {
        let path = try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.settle()
        #expect(fixture.dataFiles.count == 2)
        try FileManager.default.removeItem(atPath: path)
        try await fixture.settle()
        #expect(try await fixture.title("film.mkv") == nil)
        #expect(fixture.dataFiles == [])
        fixture.remove()
    }

    @Test func aReplacedFileStartsAnewUnderItsID() async throws {
        let path = try fixture.write(SampleMedia.matroska(), to: fixture.vod("film.mkv"))
        try await fixture.settle()
        let old = try #require(try await fixture.title("film.mkv"))
        let oldFiles = fixture.dataFiles
        try fixture.write(SampleMedia.matroska() + Data(count: 5), to: path)
        try await fixture.settle()
        let new = try #require(try await fixture.title("film.mkv"))
        #expect(new.id == old.id)
        #expect(new.revision != old.revision)
        #expect(new.mediaPath != old.mediaPath)
        #expect(new.state == .ready)
        #expect(fixture.dataFiles.count == 2)
        #expect(Set(fixture.dataFiles).isDisjoint(with: oldFiles))
        fixture.remove()
    }

    @Test func linksThatLeadBackUpAreNotFollowed() async throws {
        try fixture.write(SampleMedia.movie(), to: fixture.vod("a/film.mp4"))
        try FileManager.default.createSymbolicLink(
            atPath: fixture.vod("a/up"), withDestinationPath: fixture.vod(""))
        try FileManager.default.createSymbolicLink(
            atPath: fixture.vod("a/self"), withDestinationPath: fixture.vod("a"))
        let listing = try MediaFolder(section: .titles, mediaDirectory: "\(fixture.folder)/media").listing()
        #expect(listing.files.map(\.name) == ["a/film.mp4"])
        #expect(listing.unreachable == [])
        fixture.remove()
    }

    @Test func looksAtTheFolderDoNotReadTheCatalogueAgain() async throws {
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        let (reads, lists, writes) = (
            fixture.catalogue.readCount, fixture.catalogue.listCount, fixture.catalogue.writeCount
        )
        for _ in 0..<5 { for section in LibrarySection.allCases { try await fixture.library.scanner.scan(section) } }
        #expect(fixture.catalogue.readCount == reads)
        #expect(fixture.catalogue.listCount == lists)
        #expect(fixture.catalogue.writeCount == writes)
        fixture.remove()
    }

    @Test func hiddenAndUnfinishedFilesAreLeftAlone() async throws {
        for name in [".hidden.mp4", "film.mp4.part", "notes.txt", ".folder/film.mp4"] {
            try fixture.write(SampleMedia.movie(), to: fixture.vod(name))
        }
        try await fixture.settle()
        #expect(try await fixture.catalogue.allTitles().isEmpty)
        fixture.remove()
    }
}
