import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Catalogue

/// The catalogue as a file.
struct CatalogueFileTests {
    private let folder: TemporaryDirectory
    private var path: String { "\(folder.path)/catalogue.sqlite" }

    init() throws { folder = try TemporaryDirectory(label: "catalogue") }

    /// kill -9 leaves the files as they are, the database and its log, and another process opens them.
    @Test(arguments: [SQLDurability.onDisk, .soon])
    func acknowledgedWritesAreInTheFilesAtOnce(_ durability: SQLDurability) async throws {
        let catalogue = try Catalogue.open(.sqlite(path: path))
        let added = try await catalogue.add(.sample("film"), durability: durability)
        let copy = "\(folder.path)/copy.sqlite"
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) }
        let reopened = try Catalogue.open(.sqlite(path: copy))
        #expect(try await reopened.title(id: added.id) == added)
        #expect(try await reopened.titles(matching: "film", after: nil, limit: 1).items.count == 1)
    }

    @Test func aFileThatIsNotADatabaseIsRefused() throws {
        try String(repeating: "not a database. ", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: SQLError.self) { _ = try Catalogue.open(.sqlite(path: path)) }
        #expect(error?.code == .damaged)
    }
}
