import Foundation
import Testing

@testable import Catalogue

struct DamagedCatalogueTests {
    @Test func aDamagedFileIsNamedWithWhatToDo() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "antena-damaged-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "catalogue.sqlite").path
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: path))
        let error = try #require(throws: CatalogueError.self) { try Catalogue(path: path) }
        #expect(error.code == .unusableDatabase)
        #expect(error.reason.contains("the catalogue \(path) is damaged"))
        #expect(error.reason.contains("Restore it from a backup; or move it away"))
    }
}
