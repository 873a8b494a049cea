import Database
import DatabaseTestSupport
import Foundation
import LibraryDetails
import MediaCore
import Testing

@testable import Catalogue

/// The kinds of titles: lists have films, unless they are asked for another kind.
@Suite(.eachEngine) struct TitleKindTests {
    private let temporary: TemporaryCatalogue
    private var catalogue: Catalogue { temporary.catalogue }

    init() throws { temporary = try TemporaryCatalogue() }

    /// Two titles of each kind, all of which have a genre and belong to a series.
    private func fill() async throws {
        let kinds: [(String, TitleKind)] = [
            ("a", .film), ("b", .trailer), ("c", .recording), ("d", .memberVideo), ("e", .film), ("f", .trailer),
            ("g", .recording), ("h", .memberVideo),
        ]
        for (id, kind) in kinds {
            var title = TitleRecord.sample(id, title: "Common \(id)")
            if kind == .recording { title.file = "recordings/canalA/\(id).mp4" }
            title.duration = 60
            var details = title.details
            details[.genres] = .texts(["Drama"])
            details[.series] = .text("Series")
            title.fileDetails = details
            title.show(details)
            if kind == .memberVideo {
                let file = title.file
                try await catalogue.database.write { db in try HeldFileRows.add(file, in: .titles, db) }
            }
            let added = try await catalogue.add(title)
            #expect(added.kind == (kind == .trailer ? .film : kind))
            if kind == .trailer { try await setTrailer(true, id) }
        }
    }

    private func setTrailer(_ isTrailer: Bool, _ id: String) async throws {
        try await catalogue.database.write { db in
            let number = try #require(try TitleRecord.number(ofID: id, db))
            try ShelfRows.change(of: number, db) { $0.isTrailer = isTrailer }
        }
    }

    private func pages(
        _ page: (String?) async throws -> (ids: [String], next: String?)
    ) async throws -> [String] {
        var (ids, cursor): ([String], String?) = ([], nil)
        repeat {
            let next = try await page(cursor)
            #expect(next.ids.count <= 1)
            (ids, cursor) = (ids + next.ids, next.next)
        } while cursor != nil && ids.count < 100
        return ids
    }

    /// One title a page, so that the cursors are followed, too.
    private func listed(_ kind: TitleKind?, _ words: String? = nil, _ order: RecordOrder = .title) async throws
        -> [String]
    {
        try await pages { cursor in
            let page = try await catalogue.titles(
                RecordQuery(matching: words, order: order, state: .ready, kind: kind), after: cursor, limit: 1)
            return (page.items.map(\.id), page.next)
        }
    }

    private func shelf(
        _ kind: TitleKind = .film, _ words: String? = nil, section: TitleSection? = nil, genre: String? = nil,
        order: ShelfOrder = .title
    ) async throws -> [String] {
        try await pages { cursor in
            let page = try await catalogue.titles(
                ShelfQuery(
                    matching: words, kind: kind, section: section, genre: genre, order: order,
                    newSince: .init(millisecondsSince1970: 0)), after: cursor, limit: 1)
            return (page.items.map(\.record.id), page.next)
        }
    }

    @Test func aChannelHasItsOwnRecordings() async throws {
        try await fill()
        for (id, file) in [("n", "recordings/canalB/n.mp4"), ("o", "recordings/o.mp4"), ("p", "canalA/x/p.mp4")] {
            var title = TitleRecord.sample(id, title: id)
            title.file = file
            _ = try await catalogue.add(title)
        }
        func recordings(_ channel: String) async throws -> [String] {
            let query = ShelfQuery(
                kind: .recording, channel: channel, newSince: .init(millisecondsSince1970: 0))
            return try await catalogue.titles(query, after: nil, limit: 10).items.map(\.record.id)
        }
        #expect(try await recordings("canalA") == ["g", "c"])
        #expect(try await recordings("canalB") == ["n"])
        #expect(try await recordings("canal") == [])
        // Files of the version before have the recordings on the shelf of their kind only.
        try await catalogue.database.write { db in
            try db.execute("DELETE FROM titleShelf WHERE shelf = 'channel:canalA'")
            try #require(CatalogueMigrations.all.first { $0.version == 13 }).apply(db)
        }
        #expect(try await recordings("canalA") == ["g", "c"])
    }

    @Test func listsHaveTitlesOfOneKind() async throws {
        try await fill()
        let expected: [TitleKind: [String]] = [
            .film: ["a", "e"], .trailer: ["b", "f"], .recording: ["c", "g"], .memberVideo: ["d", "h"],
        ]
        for kind in TitleKind.allCases {
            let ids = try #require(expected[kind])
            #expect(try await listed(kind) == ids)
            #expect(try await listed(kind, "common") == ids)
            #expect(try await listed(kind, "omm", .newest) == ids.reversed())
            #expect(try await listed(kind, nil, .longest) == ids.reversed())
            for order in ShelfOrder.allCases {
                #expect(try await Set(shelf(kind, order: order)) == Set(ids), "\(order)")
            }
            #expect(try await shelf(kind, "common", order: .relevance) == ids)
            #expect(try await shelf(kind, section: .new) == ids)
            #expect(try await catalogue.title(id: ids[0])?.kind == kind)
        }
        #expect(try await listed(nil) == ["a", "b", "c", "d", "e", "f", "g", "h"])
        #expect(try await shelf(section: .free) == ["a", "e"])
        #expect(try await shelf(genre: "drama") == ["a", "e"])
        #expect(try await catalogue.newestTitles(10).map(\.id) == ["e", "a"])
        let series = try #require(
            try await catalogue.series(visible: nil, after: nil, limit: 10).items.first)
        #expect(series.count == 2)
    }

    @Test func whatIsOfferedIsCountedWithoutTrailers() async throws {
        try await fill()
        #expect(try await catalogue.counts().titles == 6)
        let durations = try await catalogue.durations(visibleTitles: nil, visibleTracks: nil)
        #expect(durations.titles == .seconds(6 * 60))
    }

    @Test func genresOfOtherKindsAreLeftOut() async throws {
        var title = TitleRecord.sample("r")
        title.file = "recordings/canalA/r.mp4"
        var details = title.details
        details[.genres] = .texts(["Sport"])
        title.fileDetails = details
        title.show(details)
        _ = try await catalogue.add(title)
        #expect(try await catalogue.genres(visible: nil) == [])
    }

    @Test func theKindFollowsTheFileAndTheTrailer() async throws {
        try await fill()
        for (id, file) in [("c", "recordings/canalA/c.mp4"), ("d", "d.mp4")] {
            let path = "/media/vod/films/\(id).mp4"
            let moved = try await catalogue.moveTitle(
                id: id, from: file, to: MovedFile(name: "films/\(id).mp4", path: path))
            #expect(moved?.kind == .film)
        }
        #expect(try await shelf() == ["a", "c", "d", "e"])
        #expect(try await shelf(.recording) == ["g"])
        try await setTrailer(false, "b")
        #expect(try await shelf() == ["a", "b", "c", "d", "e"])
        #expect(try await shelf(genre: "drama").contains("b"))
        // The record that a job has read before does not bring its kind back.
        var title = try #require(try await catalogue.title(id: "e"))
        try await setTrailer(true, "e")
        title.description(of: "again")
        try await catalogue.save(title)
        #expect(try await catalogue.title(id: "e")?.kind == .trailer)
        #expect(try await !shelf().contains("e"))
    }

    @Test func theUpgradeFindsKinds() async throws {
        try await fill()
        let database = catalogue.database
        try await database.write { db in
            for index in ["title_kindNewest", "title_kindOrder", "title_kindNumber", "title_kindDuration"] {
                try db.execute("DROP INDEX \(index)")
            }
            try db.execute("ALTER TABLE title DROP COLUMN \(TitleKindRows.column)")
            try db.execute("UPDATE titleShelf SET shelf = 'all' WHERE shelf LIKE 'kind:%'")
            try db.execute("DELETE FROM schemaMigration WHERE domain = 'catalogue' AND version = 12")
        }
        let upgraded = try await Catalogue.open(database, program: "test")
        #expect(try await upgraded.title(id: "h")?.kind == .memberVideo)
        #expect(try await shelf() == ["a", "e"])
        #expect(try await shelf(.recording) == ["c", "g"])
        #expect(try await listed(.trailer) == ["b", "f"])
    }
}

extension TitleRecord {
    /// A change that has nothing to do with the kind.
    fileprivate mutating func description(of text: String) {
        var details = self.details
        details[.description] = .text(text)
        fileDetails = details
        show(details)
    }
}
