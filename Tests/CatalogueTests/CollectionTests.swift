import Database
import DatabaseTestSupport
import Foundation
import LibraryDetails
import MediaCore
import Testing

@testable import Catalogue

/// Series, albums and artists, which follow from what titles and tracks say about themselves.
@Suite(.eachEngine) struct CollectionTests {
    private let temporary: TemporaryCatalogue
    private var catalogue: Catalogue { temporary.catalogue }

    init() throws { temporary = try TemporaryCatalogue() }

    private func add(
        _ id: String, series: String? = nil, season: Int? = nil, episode: Int? = nil, state: TitleState = .ready
    ) async throws {
        var title = TitleRecord.sample(id, state: state)
        var details = ItemDetails()
        details[.title] = .text(id)
        details[.series] = series.map(DetailValue.text)
        details[.season] = season.map(DetailValue.number)
        details[.episode] = episode.map(DetailValue.number)
        title.fileDetails = details
        title.show(details)
        try await catalogue.save(title)
    }

    private func addTrack(_ id: String, _ artist: String?, _ album: String?, _ number: Int? = nil) async throws {
        var track = AudioTrackRecord.sample(id, artist: artist, album: album)
        var details = track.details
        details[.trackNumber] = number.map(DetailValue.number)
        track.fileDetails = details
        track.show(details)
        try await catalogue.save(track)
    }

    /// All pages of a list.
    private func all<Item>(
        _ limit: Int = 100, _ page: (String?, Int) async throws -> ListPage<Item>
    ) async throws -> [Item] {
        var (items, cursor): ([Item], String?) = ([], nil)
        repeat {
            let next = try await page(cursor, limit)
            #expect(next.items.count <= limit)
            items += next.items
            cursor = next.next
        } while cursor != nil && items.count < 1_000
        return items
    }

    private func series(_ visible: RecordVisibility? = nil, limit: Int = 100) async throws -> [String] {
        try await all(limit) { try await catalogue.series(visible: visible, after: $0, limit: $1) }
            .map { "\($0.name) \($0.count) \($0.first.id)" }
    }

    private func episodes(
        _ series: String, _ visible: RecordVisibility? = nil, limit: Int = 100
    ) async throws -> [String] {
        let found = try await catalogue.series(visible: visible, after: nil, limit: 100).items
        guard let id = found.first(where: { $0.name == series })?.id else { return [] }
        return try await all(limit) {
            try await catalogue.titles(ofSeries: id, visible: visible, after: $0, limit: $1)
        }.map(\.record.id)
    }

    private func albums(_ artist: String? = nil, limit: Int = 100) async throws -> [String] {
        try await all(limit) {
            try await catalogue.albums(ofArtist: artist, visible: nil, after: $0, limit: $1)
        }.map { "\($0.name)/\($0.artist ?? "-") \($0.count) \($0.first.id)" }
    }

    @Test(arguments: [1, 2, 100]) func episodesComeInTheOrderOfSeasonsAndNumbers(limit: Int) async throws {
        for (id, season, episode) in [
            ("s2e1", 2, 1), ("s1e10", 1, 10), ("s1e2", 1, 2), ("special", 0, 1), ("extra", nil, nil),
            ("s1", 1, nil), ("s1e2b", 1, 2),
        ] as [(String, Int?, Int?)] {
            try await add(id, series: "Garden", season: season, episode: episode)
        }
        try await add("film")
        #expect(
            try await episodes("Garden", limit: limit)
                == ["special", "s1e2", "s1e2b", "s1e10", "s1", "s2e1", "extra"])
        #expect(try await series(limit: limit) == ["Garden 7 special"])
    }

    @Test(arguments: [1, 100]) func aSeriesIsItsNameHoweverItIsWritten(limit: Int) async throws {
        try await add("a", series: "Élite", episode: 2)
        try await add("b", series: "ELITE", episode: 1)
        // The file system of a Mac takes letters and accents apart.
        try await add("c", series: "E\u{301}lite", episode: 3)
        try await add("d", series: "  the   Wire ")
        try await add("e", series: "The Wire")
        try await add("f", series: "Élites")
        try await add("g", series: "Zoo", state: .queued)
        #expect(try await series(limit: limit) == ["ELITE 3 b", "Élites 1 f", "  the   Wire  2 d"])
        #expect(try await episodes("ELITE") == ["b", "a", "c"])
    }

    @Test func aTitleMovesAndAnEmptySeriesVanishes() async throws {
        try await add("a", series: "One")
        try await add("b", series: "One")
        let one = try #require(try await catalogue.series(visible: nil, after: nil, limit: 1).items.first)
        _ = try await catalogue.chooseDetails(ofTitle: "a", version: nil) { $0[.series] = .text("Two") }
        #expect(try await series() == ["One 1 b", "Two 1 a"])
        #expect(try await catalogue.series(id: one.id, visible: nil)?.first.id == "b")
        _ = try await catalogue.chooseDetails(ofTitle: "b", version: nil) { $0[.series] = .text("two") }
        #expect(try await series() == ["Two 2 a"])
        #expect(try await catalogue.series(id: one.id, visible: nil) == nil)
        #expect(
            try await catalogue.titles(ofSeries: one.id, visible: nil, after: nil, limit: 5).items.isEmpty)
        // What the file says counts again.
        _ = try await catalogue.chooseDetails(ofTitle: "a", version: nil) { $0[.series] = nil }
        #expect(try await catalogue.series(id: one.id, visible: nil)?.count == 1)
        try await catalogue.deleteTitle(id: "a")
        try await catalogue.deleteTitle(id: "b")
        #expect(try await series() == [])
        let rest: Int64? = try await catalogue.database.read { db in
            try db.firstValue("SELECT count(*) FROM titleCollection")
        }
        #expect(rest == 0)
    }

    @Test(arguments: [1, 100]) func whatIsNotVisibleIsNeitherShownNorCounted(limit: Int) async throws {
        for (id, series) in [("a", "Open"), ("b", "Open"), ("c", "Secret"), ("d", "Secret"), ("e", "Zoo")] {
            try await add(id, series: series, episode: id == "a" ? 1 : 2)
        }
        let secret = try #require(
            try await catalogue.series(visible: nil, after: nil, limit: 100).items.first { $0.name == "Secret" })
        try await catalogue.database.write { db in
            for id in ["a", "c", "d"] {
                try AudienceRows.set(ItemAudienceName(rawValue: "invited"), in: .titles, of: id, db)
            }
        }
        let visible = RecordVisibility(showsUnset: true, audiences: [])
        #expect(try await series(visible, limit: limit) == ["Open 1 b", "Zoo 1 e"])
        #expect(try await episodes("Open", visible, limit: limit) == ["b"])
        #expect(try await catalogue.series(id: secret.id, visible: visible) == nil)
        #expect(
            try await catalogue.titles(ofSeries: secret.id, visible: visible, after: nil, limit: 5).items.isEmpty)
        #expect(try await series(limit: limit) == ["Open 2 a", "Secret 2 c", "Zoo 1 e"])
        // A reader to whom they are opened sees them.
        let invited = try #require(ItemAudienceName(rawValue: "invited"))
        let opened = RecordVisibility(showsUnset: true, audiences: [invited], account: "x")
        #expect(try await series(opened).count == 3)
    }

    @Test(arguments: [1, 100]) func anAlbumBelongsToItsArtist(limit: Int) async throws {
        try await addTrack("hits-2", "Ana", "Greatest Hits", 2)
        try await addTrack("hits-1", "ANA", "greatest hits", 1)
        try await addTrack("hits-x", "Ana", "Greatest Hits")
        try await addTrack("other", "Eva", "Greatest Hits", 1)
        try await addTrack("alone", nil, "Anthology")
        try await addTrack("single", "Eva", nil)
        try await addTrack("noise", nil, nil)
        #expect(
            try await albums(limit: limit).sorted()
                == ["Anthology/- 1 alone", "Greatest Hits/Eva 1 other", "greatest hits/ANA 3 hits-1"])
        let artists = try await all(limit) { try await catalogue.artists(visible: nil, after: $0, limit: $1) }
        #expect(artists.map(\.count) == [3, 2])
        let ana = try #require(artists.first)
        #expect(try await catalogue.artist(id: ana.id, visible: nil)?.name == ana.name)
        #expect(try await albums(ana.id, limit: limit) == ["greatest hits/ANA 3 hits-1"])
        #expect(try await albums("nobody") == [])
        let album = try #require(
            try await catalogue.albums(ofArtist: ana.id, visible: nil, after: nil, limit: 1).items.first)
        #expect(album.artistID == ana.id)
        let tracks = try await all(limit) {
            try await catalogue.tracks(ofAlbum: album.id, visible: nil, after: $0, limit: $1)
        }
        #expect(tracks.map(\.id) == ["hits-1", "hits-2", "hits-x"])
        // The pages of a title or track know where they lead.
        #expect(tracks.allSatisfy { $0.albumID == album.id && $0.artistID == ana.id })
        try await catalogue.deleteTrack(id: "other")
        #expect(try await catalogue.artist(id: artists[1].id, visible: nil)?.count == 1)
        #expect(try await albums().count == 2)
    }

    /// Names come from files that strangers have made.
    @Test func hostileNamesAreNamesLikeOthers() async throws {
        let names = [
            String(repeating: "\u{FDFA}", count: 300), String(repeating: "👨‍👩‍👧‍👦", count: 300), "'; DROP TABLE title; --",
            "\u{202E}evil", "a\u{0301}\u{0301}\u{0301}", "%_\\", "<script>alert(1)</script>", "!!!", "\u{1F}\u{7F}",
            String(repeating: "z", count: 300), String(repeating: "z", count: 299) + "y", "\n\n\nline\ttab",
        ]
        for (index, name) in names.enumerated() { try await add("t\(index)", series: name) }
        // Of control characters only, nothing is left.
        let found = try await all(1) { try await catalogue.series(visible: nil, after: $0, limit: $1) }
        #expect(Set(found.map(\.first.id)) == Set(names.indices.filter { $0 != 8 }.map { "t\($0)" }))
        #expect(Set(found.map(\.id)).count == names.count - 1)
        for series in found {
            #expect(series.id.wholeMatch(of: /[0-9a-f]{24}/) != nil)
            let titles = try await catalogue.titles(ofSeries: series.id, visible: nil, after: nil, limit: 5)
            #expect(titles.items.map(\.record.id) == [series.first.id])
        }
        for id in ["", "'", "%", "\u{0}", String(repeating: "x", count: 5_000)] where id != "\u{0}" {
            #expect(try await catalogue.series(id: id, visible: nil) == nil)
        }
    }

    @Test func cursorsOfOtherListsAreRefused() async throws {
        for id in ["a", "b", "c"] { try await add(id, series: "S\(id)") }
        for id in ["a", "b", "c"] { try await add("e\(id)", series: "S") }
        let series = try #require(try await catalogue.series(visible: nil, after: nil, limit: 1).next)
        for cursor in ["", "x", "AAAA", String(repeating: "A", count: 5_000)] {
            await #expect(throws: Refusal.self) {
                _ = try await catalogue.series(visible: nil, after: cursor, limit: 1)
            }
        }
        await #expect(throws: Refusal.self) {
            _ = try await catalogue.artists(visible: nil, after: series, limit: 1)
        }
        await #expect(throws: Refusal.self) {
            _ = try await catalogue.titles(ofSeries: "x", visible: nil, after: series, limit: 1)
        }
    }

    @Test func aLargeCollectionIsCountedUpToALimit() async throws {
        try await fill(titles: 1_500, series: 1)
        let series = try #require(try await catalogue.series(visible: nil, after: nil, limit: 5).items.first)
        #expect(series.count == LibraryCollection<TitleRecord>.maximumCount)
        let visible = RecordVisibility(showsUnset: true, audiences: [])
        #expect(try await catalogue.series(id: series.id, visible: visible)?.count == series.count)
    }

    private func fill(titles: Int, series: Int) async throws {
        try await catalogue.database.write(durability: .onDisk, within: .seconds(60)) { db in
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(titles))
                INSERT INTO title(id, title, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt, sortKey)
                SELECT 't' || i, 'Title ' || i, 'f' || i, '/f', 'ready', 1, '2026-01-01 00:00:00.000', 'r',
                    '2026-01-01 00:00:00.000', 'title ' || i FROM n
                """)
            let integer = db.dialect.name(of: .integer)
            try db.execute(
                """
                INSERT INTO titleCollection(
                    list, recordNumber, collection, place, name, part, position, sortKey)
                SELECT 'series', number, 'c' || (number % \(series)), 'p' || (number % \(series)), 'n',
                    CAST(number % 7 AS \(integer)), CAST(number % 100 AS \(integer)), sortKey FROM title
                """)
            if db.dialect == .postgreSQL {
                for table in ["title", "titleCollection"] { try db.execute("ANALYZE \(table)") }
            }
        }
    }

    /// Each list reads an index, and neither the library nor what is in a collection is sorted.
    @Test func listsOfCollectionsWalkAnIndex() async throws {
        try await fill(titles: 10_000, series: 500)
        let visible = RecordVisibility(showsUnset: true, audiences: [], account: "x")
        for shown in [nil, visible] {
            let query = CollectionQuery<TitleRecord>(list: .series, visible: shown)
            let cursor = MemberCursor(part: 1, position: 2, sortKey: "title 5", number: 5)
            for (name, statement) in [
                ("collections", query.collections(after: "", limit: 20)),
                ("more collections", query.collections(after: "p300", limit: 20)),
                ("a collection", query.collection(id: "c7")),
                ("what is in it", query.members(ofID: "c7", after: nil, limit: 20)),
                ("more of it", query.members(ofID: "c7", after: cursor, limit: 20)),
            ] {
                let plan = try await catalogue.database.read { db in
                    try db.plan(of: statement.sql, statement.arguments)
                }.joined(separator: "\n")
                #expect(plan.lowercased().contains("titlecollection_order"), "\(name): \(plan)")
                for scan in [
                    "SCAN title", "SCAN c", "SCAN e", "SCAN m", "Seq Scan on title", "Seq Scan on titlecollection",
                ] {
                    #expect(!plan.contains("\(scan)\n") && !plan.hasSuffix(scan), "\(name): \(scan): \(plan)")
                }
            }
        }
    }

    /// An installation of the version before has titles and tracks, and no collections.
    @Test func theCollectionsOfAnOlderInstallationAreFound() async throws {
        let place = try TestDatabase()
        var before = CatalogueSchema.schema
        // That which made the collections was the tenth.
        before.migrations.removeAll { $0.version >= 10 }
        let old = try await place.open()
        try await SQLMigrator(before, program: "0.0.9").applyMigrations(old)
        try await old.write { db in
            try db.execute(
                """
                INSERT INTO title(id, title, file, sourcePath, state, byteCount, modifiedAt, revision, addedAt, sortKey,
                    details)
                VALUES ('a', 'A', 'a', '/a', 'ready', 1, '2026-01-01 00:00:00.000', 'r', '2026-01-01 00:00:00.000', 'a',
                    '{"title":"A","series":"Garden","season":1}')
                """)
            try db.execute(
                """
                INSERT INTO audioTrack(id, title, artist, album, file, sourcePath, state, byteCount, modifiedAt, revision,
                    addedAt, sortKey)
                VALUES ('b', 'B', 'Ana', 'Hits', 'b', '/b', 'ready', 1, '2026-01-01 00:00:00.000', 'r',
                    '2026-01-01 00:00:00.000', 'b')
                """)
        }
        let catalogue = try Catalogue.open(place)
        #expect(try await catalogue.series(visible: nil, after: nil, limit: 5).items.map(\.name) == ["Garden"])
        let albums = try await catalogue.albums(ofArtist: nil, visible: nil, after: nil, limit: 5)
        #expect(albums.items.map(\.name) == ["Hits"] && albums.items.map(\.artist) == ["Ana"])
    }
}
