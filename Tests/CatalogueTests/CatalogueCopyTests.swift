import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import Testing

@testable import Catalogue

/// The catalogue in one database, copied into another.
struct CatalogueCopyTests {
    private static let pairs: [(TestEngine, TestEngine)] = [
        (.sqlite, .postgreSQL), (.postgreSQL, .sqlite), (.sqlite, .sqlite), (.postgreSQL, .postgreSQL),
    ]

    private func fill(_ place: TestDatabase, count: Int = 25) async throws -> Catalogue {
        let catalogue = try Catalogue.open(place)
        for number in 0..<count {
            var title = TitleRecord.sample("t\(number)", title: "Canción \(number) 🎬")
            title.duration = Double(number) / 3
            title.frameRate = 30
            title.byteCount = 1 << 40
            try await catalogue.save(title)
            try await catalogue.save(AudioTrackRecord.sample("a\(number)", artist: "O'Brien"))
        }
        let date = Date(timeIntervalSince1970: 1_700_000_000.123)
        try await catalogue.write(
            (1...7).map { JobRecord(number: $0 * 10, kind: .title, file: "f", createdAt: date) }, durability: .onDisk)
        try await catalogue.write(
            ContentDigest(section: "vod", subject: "t1", revision: "r1", byteCount: 1, sample: "s"))
        _ = try await catalogue.moveTitle(id: "t2", from: "t2.mp4", to: MovedFile(name: "x/é:1.mp4", path: "/x"))
        return catalogue
    }

    private func copy(
        _ source: TestDatabase, _ target: TestDatabase, batchSize: Int = 4,
        _ onProgress: @escaping @Sendable (DatabaseCopy.Progress) -> Void = { _ in }
    ) async throws -> [DatabaseCopy.VerifiedTable] {
        try await DatabaseCopy(
            [CatalogueSchema.schema], program: "test", batchSize: batchSize, onProgress: onProgress
        ).run(from: try await source.open(), to: try await target.open())
    }

    @Test(arguments: pairs) func everythingIsCopiedAndVerified(_ from: TestEngine, _ to: TestEngine) async throws {
        let (source, target) = (try TestDatabase(from), try TestDatabase(to))
        let original = try await fill(source)
        let tables = try await copy(source, target)
        #expect(tables.map(\.rowCount) == [25, 25, 7, 1, 1, 1, 0, 0, 0, 0, 0, 0])
        let copied = try Catalogue.open(target)
        #expect(try await copied.allTitles() == original.allTitles())
        #expect(try await copied.allTracks() == original.allTracks())
        #expect(try await copied.unfinishedJobs() == original.unfinishedJobs())
        #expect(copied.lastJobNumber == 70)
        #expect(try await copied.titles(matching: "cancion 24", after: nil, limit: 5).items.map(\.id) == ["t24"])
        #expect(try await copied.title(file: "t2.mp4")?.id == "t2")
        // Numbers go on after those that were copied.
        let added = try await copied.add(TitleRecord.sample("new"))
        #expect(try await copied.newestTitles(1) == [added])
    }

    @Test func aTargetWithRowsOfItsOwnIsRefused() async throws {
        let (source, target) = (try TestDatabase(.sqlite), try TestDatabase(.postgreSQL))
        _ = try await fill(source)
        _ = try await fill(target, count: 1)
        let error = await #expect(throws: SQLError.self) { _ = try await copy(source, target) }
        #expect(error?.reason.contains("is not empty") == true)
        #expect(try await Catalogue.open(target).allTitles().map(\.id) == ["t0"])
    }

    /// As after a kill: what was written stays, and the next run goes on behind it.
    @Test func aCopyThatWasInterruptedGoesOn() async throws {
        let (source, target) = (try TestDatabase(.sqlite), try TestDatabase(.postgreSQL))
        _ = try await fill(source)
        let interrupted = Task {
            try await copy(source, target, batchSize: 5) { progress in
                if progress.table == "title", progress.copiedCount >= 10 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        _ = await interrupted.result
        let tables = try await copy(source, target, batchSize: 5)
        #expect(tables.map(\.rowCount) == [25, 25, 7, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    }

    @Test func aSourceThatChangedMeanwhileIsNoticed() async throws {
        let (source, target) = (try TestDatabase(.sqlite), try TestDatabase(.sqlite))
        let catalogue = try await fill(source)
        let error = await #expect(throws: SQLError.self) {
            _ = try await copy(source, target) { progress in
                guard progress.table == "counter" else { return }
                try? waiting { try await catalogue.deleteTitle(id: "t3") }
            }
        }
        #expect(error?.reason.contains("the copy of title differs: 24 rows") == true)
    }

    @Test(arguments: TestEngine.allCases) func aSoundDatabaseHasNoProblems(_ engine: TestEngine) async throws {
        let place = try TestDatabase(engine)
        _ = try await fill(place)
        let report = try await DatabaseReport(
            of: try await place.open(), schemas: [CatalogueSchema.schema], checksIntegrity: true)
        #expect(report.problems == [])
        #expect(report.tables.first { $0.name == "title" }?.rowCount == 25)
        #expect(report.migrations.map(\.version) == Array(1...CatalogueMigrations.all.count))
    }

    @Test(arguments: TestEngine.allCases) func aMissingIndexIsNamed(_ engine: TestEngine) async throws {
        let place = try TestDatabase(engine)
        _ = try await fill(place)
        let database = try await place.open()
        try await database.write { db in _ = try db.execute("DROP INDEX title_order") }
        let report = try await DatabaseReport(of: database, schemas: [CatalogueSchema.schema], checksIntegrity: false)
        #expect(report.problems == ["the index title_order is missing or not valid; lists are slow without it"])
    }
}
