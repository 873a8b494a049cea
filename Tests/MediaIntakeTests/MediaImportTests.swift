import Foundation
import LibraryCore
import MediaFolders
import TestSupport
import Testing

@testable import MediaIntake

struct MediaImportTests {
    private let directory: TemporaryDirectory
    private let mediaImport: MediaImport

    init() throws {
        directory = try TemporaryDirectory(label: "import")
        mediaImport = MediaImport(mediaDirectory: "\(directory.path)/media")
    }

    private func vod(_ name: String) -> String { "\(directory.path)/media/vod/\(name)" }

    @Test func filesOfOneNameFromManyPlacesAllKeepTheirContent() async throws {
        let count = 12
        for number in 0..<count {
            try directory.write("content \(number)", to: "from/\(number)/film.mp4")
        }
        let (mediaImport, folder) = (mediaImport, directory.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { _ = try mediaImport.importFile(path: "\(folder)/from/\(number)/film.mp4") }
            }
            try await group.waitForAll()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: vod(""))
        #expect(Set(names) == Set(["film.mp4"] + (2...count).map { "film-\($0).mp4" }))
        let contents = try names.map { try String(contentsOfFile: vod($0), encoding: .utf8) }
        #expect(Set(contents) == Set((0..<count).map { "content \($0)" }))
    }

    @Test func aNameThatIsTakenMeanwhileIsNotOverwritten() throws {
        let folder = MediaFolder(section: .titles, mediaDirectory: "\(directory.path)/media")
        try directory.write("first", to: "media/vod/film.mp4")
        let copy = try directory.write("second", to: "media/vod/.copy.part")
        #expect(try MediaImport.claimName("film.mp4", for: copy, in: folder) == "film-2.mp4")
        #expect(try String(contentsOfFile: vod("film.mp4"), encoding: .utf8) == "first")
    }

    @Test func aLinkIsFollowedAndItsContentCopied() throws {
        let path = try directory.write("content", to: "from/film.mp4")
        let link = "\(directory.path)/from/link.mp4"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let (_, file) = try mediaImport.importFile(path: link)
        #expect(
            try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType == .typeRegular)
    }

    @Test func aFileThatIsInTheFolderAlreadyIsTakenAsItIs() throws {
        let path = try directory.write("content", to: "media/vod/sub/film.mp4")
        let (section, file) = try mediaImport.importFile(path: path)
        #expect(section == .titles && file.name == "sub/film.mp4")
        #expect(try FileManager.default.contentsOfDirectory(atPath: vod("")) == ["sub"])
    }

    @Test func aFileThatLeavesTooLittleRoomIsRefusedBeforeItIsCopied() throws {
        let path = try directory.write("", to: "from/huge.mp4")
        // Sparse: it takes no room here.
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 8 << 40)
        #expect {
            try mediaImport.importFile(path: path)
        } throws: { error in
            (error as? LibraryError)?.code == .storage && "\(error)".contains("make room")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: vod("")) == [])
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
    }
}
