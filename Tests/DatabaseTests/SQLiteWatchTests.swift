import DatabaseTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Database

/// The thread that asks whether a SQLite database has changed rests while nobody writes to its files.
struct SQLiteWatchTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory(label: "watch")
        path = try folder.file("antena.sqlite")
    }

    private func open() async throws -> any SQLDatabase {
        try await DatabaseAddress.sqlite(path: path).open()
    }

    private static func write(_ database: any SQLDatabase) async throws {
        try await database.write { db in try db.execute("CREATE TABLE IF NOT EXISTS item(size INTEGER)") }
        try await database.write { db in try db.execute("INSERT INTO item VALUES (1)") }
    }

    @Test func onlyWritesToTheDatabaseCount() async throws {
        let database = try await open()
        let events = try #require(SQLiteFileEvents(path: path))
        #expect(!events.take())
        try Data("x".utf8).write(to: URL(filePath: try folder.file("operator-token")))
        #expect(!events.take())
        try await Self.write(database)
        #expect(events.take())
        #expect(!events.take())
        _ = try await database.read { db in try db.firstValue("SELECT count(*) FROM item") as Int? }
        #expect(!events.take())
    }

    /// SQLite writes beside the file to which a link leads.
    @Test func aDatabaseMayBeALink() async throws {
        let elsewhere = try TemporaryDirectory(label: "elsewhere")
        let file = try elsewhere.file("catalogue.sqlite")
        let database = try await DatabaseAddress.sqlite(path: file).open()
        try await Self.write(database)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: file)
        let events = try #require(SQLiteFileEvents(path: path))
        try await Self.write(database)
        #expect(events.take())
    }

    @Test func aFolderThatIsMovedAwayIsNotWaitedFor() throws {
        let former = try folder.file("former")
        try FileManager.default.createDirectory(atPath: former, withIntermediateDirectories: true)
        let events = try #require(SQLiteFileEvents(path: "\(former)/antena.sqlite"))
        try FileManager.default.moveItem(atPath: former, toPath: try folder.file("other"))
        #expect(events.take())
        // Would not end within the time limit of tests.
        events.wait(atMost: .seconds(86_400))
    }

    @Test func aFolderThatIsNotThereCannotBeWatched() throws {
        #expect(SQLiteFileEvents(path: "\(folder.path)/nowhere/antena.sqlite") == nil)
    }

    @Test func itRestsWhileNobodyWritesAndGoesOnWhenSomebodyDoes() async throws {
        let (database, other) = (try await open(), try await open())
        try await Self.write(database)
        let answers = Mutex<[(marker: String?, beatCount: Int)]>([])
        let watch = SQLiteWatch(path: path, maximumCommitDuration: .zero)
        let watching = Task {
            await watch.run { marker, beatCount in answers.withLock { $0.append((marker, beatCount)) } }
        }
        // As many beats as followers count for the longest pause.
        let longest = Int(DatabaseChanges.longestPause / DatabaseChanges.interval + 0.5)
        _ = try await eventually("it has rested", within: 60) {
            answers.withLock { $0.contains { $0.beatCount >= longest } } ? true : nil
        }
        let marker = answers.withLock { $0.last?.marker }
        try await Self.write(other)
        _ = try await eventually("it has asked again", within: 60) {
            answers.withLock { $0.last.map { $0.marker != marker && $0.marker != nil } ?? false } ? true : nil
        }
        watching.cancel()
        await watching.value
        watch.close()
    }
}
