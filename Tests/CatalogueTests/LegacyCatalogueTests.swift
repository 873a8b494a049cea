import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Catalogue

/// Files that versions before the storage layer have left.
struct LegacyCatalogueTests {
    private let folder: TemporaryDirectory
    private var address: DatabaseAddress { .sqlite(path: "\(folder.path)/catalogue.sqlite") }

    init() throws { folder = try TemporaryDirectory(label: "legacy") }

    /// The statements with which the first version made its file.
    private static let firstVersion = [
        "CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY)",
        "INSERT INTO grdb_migrations VALUES ('1: titles and audio tracks')",
        """
        CREATE TABLE "title" ("number" INTEGER PRIMARY KEY AUTOINCREMENT, "id" TEXT NOT NULL UNIQUE,
            "title" TEXT NOT NULL, "file" TEXT NOT NULL UNIQUE, "sourcePath" TEXT NOT NULL, "mediaPath" TEXT,
            "state" TEXT NOT NULL, "progress" DOUBLE, "error" TEXT, "ingestSeconds" DOUBLE, "duration" DOUBLE,
            "width" INTEGER, "height" INTEGER, "frameRate" DOUBLE, "videoCodec" TEXT, "audioCodec" TEXT,
            "byteCount" INTEGER NOT NULL, "modifiedAt" DATETIME NOT NULL, "revision" TEXT NOT NULL, "poster" TEXT,
            "addedAt" DATETIME NOT NULL)
        """,
        """
        CREATE TABLE "audioTrack" ("number" INTEGER PRIMARY KEY AUTOINCREMENT, "id" TEXT NOT NULL UNIQUE,
            "title" TEXT NOT NULL, "artist" TEXT, "album" TEXT, "year" INTEGER, "trackNumber" INTEGER, "genre" TEXT,
            "file" TEXT NOT NULL UNIQUE, "sourcePath" TEXT NOT NULL, "mediaPath" TEXT, "state" TEXT NOT NULL,
            "error" TEXT, "ingestSeconds" DOUBLE, "duration" DOUBLE, "codec" TEXT, "sampleRate" INTEGER,
            "channels" INTEGER, "byteCount" INTEGER NOT NULL, "modifiedAt" DATETIME NOT NULL,
            "revision" TEXT NOT NULL, "cover" TEXT, "coverMediaType" TEXT, "addedAt" DATETIME NOT NULL)
        """,
        "CREATE INDEX title_order ON title(title COLLATE NOCASE, id)",
        "CREATE INDEX audioTrack_order ON audioTrack(title COLLATE NOCASE, id)",
        """
        CREATE VIRTUAL TABLE titleSearch
        USING fts5(text, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')
        """,
        """
        CREATE VIRTUAL TABLE audioTrackSearch
        USING fts5(text, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')
        """,
        """
        INSERT INTO title(id, title, file, sourcePath, mediaPath, state, duration, byteCount, modifiedAt, revision,
            addedAt)
        VALUES ('x', 'Straße', 'x.mp4', '/media/x.mp4', '/media/x.mp4', 'ready', 2, 1099511627776,
            '2024-02-29 23:59:59.500', 'r1', '1969-12-31 00:00:00.001')
        """,
        "INSERT INTO titleSearch(rowid, text) VALUES (1, 'Straße x.mp4')",
        """
        INSERT INTO audioTrack(id, title, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt)
        VALUES ('y', 'Größe', 'y.mp3', '/media/y.mp3', 'ready', 1, '2024-01-01 00:00:00', 'r1',
            '2024-01-01 00:00:00.000')
        """,
        "INSERT INTO audioTrackSearch(rowid, text) VALUES (1, 'Größe y.mp3')",
    ]

    private func makeFirstVersion() async throws -> any SQLDatabase {
        let database = try await address.open()
        try await database.write { db in for statement in Self.firstVersion { try db.execute(statement) } }
        return database
    }

    @Test func theFirstVersionIsBroughtToTheLast() async throws {
        _ = try await makeFirstVersion()
        let catalogue = try Catalogue.open(address)
        let title = try #require(try await catalogue.title(id: "x"))
        #expect(title.title == "Straße" && title.duration == 2 && title.byteCount == 1 << 40)
        #expect(title.modifiedAt == Date(timeIntervalSince1970: 1_709_251_199.5))
        #expect(title.addedAt == Date(timeIntervalSince1970: -86_399.999))
        #expect(try await catalogue.titles(matching: "strasse", after: nil, limit: 10).items == [title])
        #expect(try await catalogue.tracks(matching: "grosse", after: nil, limit: 10).items.map(\.id) == ["y"])
        try await catalogue.write(
            [JobRecord(number: 1, kind: .title, file: "x.mp4", createdAt: title.modifiedAt)], durability: .onDisk)
        #expect(try await catalogue.job(number: 1)?.file == "x.mp4")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.contains(".backup-") })
    }

    /// The version before compares the names of its migrations with those in the file.
    @Test func theVersionBeforeFindsAllItsMigrations() async throws {
        let database = try await makeFirstVersion()
        _ = try Catalogue.open(address)
        let names = try await database.read { db in
            try db.rows("SELECT identifier FROM grdb_migrations ORDER BY identifier") { try $0.value(0) as String }
        }
        #expect(
            names == [
                "1: titles and audio tracks", "2: lists in the order of sort keys", "3: jobs", "4: duplicates",
                "5: pictures", "5: what jobs are asked for", "5: what jobs have to say",
                "6: names that files had before", "7: search without case, marks and ligatures",
            ])
    }

    @Test func numbersOfJobsThatWereDeletedAreNotGivenAgain() async throws {
        let database = try await makeFirstVersion()
        _ = try Catalogue.open(address)
        // As if the version before had gone on with the file.
        try await database.write { db in
            try db.execute("DELETE FROM schemaMigration")
            try db.execute("DROP TABLE counter")
            for table in [
                "itemDetails", "titleListing", "titleShelf", "titlePieces", "titleCollection", "trackCollection",
                "audioTrackPieces",
            ] {
                try db.execute("DROP TABLE \(table)")
            }
            for table in ["title", "audioTrack"] {
                try db.execute("DROP INDEX \(table)_duration")
                for column in ["details", "fileDetails"] {
                    try db.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
                }
            }
            try db.execute("ALTER TABLE title DROP COLUMN posterFile")
            for column in ["uploadedCover", "coverFile", "coverOfFile"] {
                try db.execute("ALTER TABLE audioTrack DROP COLUMN \(column)")
            }
            try db.execute(
                "INSERT INTO job(number, kind, file, state, attempt, priority, createdAt) VALUES (41, 'title', 'f', 'ready', 0, 0, 'x')"
            )
            try db.execute("DELETE FROM job")
        }
        #expect(try Catalogue.open(address).lastJobNumber == 41)
    }
}
