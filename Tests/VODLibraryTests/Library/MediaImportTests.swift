import Catalogue
import DatabaseTestSupport
import Foundation
import Testing

@testable import VODLibrary

@Suite(.eachEngine) struct MediaImportTests {
    let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private var mediaImport: MediaImport { MediaImport(mediaDirectory: "\(fixture.folder)/media") }

    @Test func filesOfOneNameFromManyPlacesAllKeepTheirContent() async throws {
        let count = 12
        for number in 0..<count {
            try fixture.write(Data("content \(number)".utf8), to: "\(fixture.folder)/from/\(number)/film.mp4")
        }
        let mediaImport = mediaImport
        let folder = fixture.folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { _ = try mediaImport.importFile(path: "\(folder)/from/\(number)/film.mp4") }
            }
            try await group.waitForAll()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.vod(""))
        #expect(Set(names) == Set(["film.mp4"] + (2...count).map { "film-\($0).mp4" }))
        let contents = try names.map { try String(contentsOfFile: fixture.vod($0), encoding: .utf8) }
        #expect(Set(contents) == Set((0..<count).map { "content \($0)" }))
        fixture.remove()
    }

    @Test func aNameThatIsTakenMeanwhileIsNotOverwritten() throws {
        let folder = MediaFolder(section: .titles, mediaDirectory: "\(fixture.folder)/media")
        try fixture.write(Data("first".utf8), to: fixture.vod("film.mp4"))
        let copy = try fixture.write(Data("second".utf8), to: fixture.vod(".copy.part"))
        #expect(try MediaImport.claimName("film.mp4", for: copy, in: folder) == "film-2.mp4")
        #expect(try String(contentsOfFile: fixture.vod("film.mp4"), encoding: .utf8) == "first")
        fixture.remove()
    }

    @Test func aMovieFromOutsideIsCopiedAndReadyAtOnce() async throws {
        let path = try fixture.write(SampleMedia.movie(), to: "\(fixture.folder)/from/film.mp4")
        guard case .title(let title) = try await fixture.library.ingest(path: path) else {
            Issue.record("no title")
            return
        }
        #expect(title.state == .ready && title.file == "film.mp4" && title.id == "film")
        let kept = try #require(try await fixture.title("film.mp4"))
        #expect(kept.state == .ready && kept.id == title.id && kept.mediaPath == title.mediaPath)
        try await fixture.settle()
        #expect(try await fixture.title("film.mp4")?.poster != nil)
        #expect(try Data(contentsOf: URL(filePath: path)) == SampleMedia.movie())
        #expect(try await fixture.catalogue.allTitles().count == 1)
        fixture.remove()
    }

    @Test func aLinkIsFollowedAndItsContentCopied() throws {
        let path = try fixture.write(Data("content".utf8), to: "\(fixture.folder)/from/film.mp4")
        let link = "\(fixture.folder)/from/link.mp4"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let (_, file) = try mediaImport.importFile(path: link)
        #expect(
            try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType == .typeRegular)
        fixture.remove()
    }

    @Test func aFileThatIsInTheFolderAlreadyIsTakenAsItIs() throws {
        let path = try fixture.write(Data("content".utf8), to: fixture.vod("sub/film.mp4"))
        let (section, file) = try mediaImport.importFile(path: path)
        #expect(section == .titles && file.name == "sub/film.mp4")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.vod("")) == ["sub"])
        fixture.remove()
    }

    @Test func aFileThatLeavesTooLittleRoomIsRefusedBeforeItIsCopied() throws {
        let path = try fixture.write(Data(), to: "\(fixture.folder)/from/huge.mp4")
        // Sparse: it takes no room here.
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 8 << 40)
        #expect {
            try mediaImport.importFile(path: path)
        } throws: { error in
            (error as? LibraryError)?.code == .storage && "\(error)".contains("make room")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.vod("")) == [])
        fixture.remove()
    }

    @Test(arguments: [
        ("relative.mp4", LibraryError.Code.noSuchFile), ("/nonexistent/film.mp4", .noSuchFile),
        ("/dev/null", .notMedia),
        ("/etc/passwd", .notMedia), ("/", .notMedia), ("", .noSuchFile),
    ])
    func whatIsNoMediaFileIsRefused(path: String, code: LibraryError.Code) {
        #expect {
            try mediaImport.importFile(path: path)
        } throws: {
            ($0 as? LibraryError)?.code == code
        }
        fixture.remove()
    }
}
