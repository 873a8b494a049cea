import Database
import DatabaseTestSupport
import Foundation
import LibraryDetails
import MediaCore
import Testing

@testable import Catalogue

/// Lists of what can be played, by section, genre, price and rating, and searches in them.
@Suite(.eachEngine) struct ShelfTests {
    private let temporary: TemporaryCatalogue
    private static let day: TimeInterval = 86_400
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)
    private static let newSince = WallClockTime(millisecondsSince1970: 1_700_000_000_000 + 3 * 86_400_000)

    init() throws { temporary = try TemporaryCatalogue() }

    /// Adds a title that was added some days after the first one.
    private func add(
        _ id: String, _ name: String? = nil, day: Int = 0, genres: [String] = [], cast: [String] = [],
        description: String? = nil, state: TitleState = .ready, _ listing: (inout TitleListing) -> Void = { _ in }
    ) async throws {
        var title = TitleRecord.sample(id, title: name, state: state)
        title.addedAt = Self.start + Double(day) * Self.day
        var details = ItemDetails()
        if !genres.isEmpty { details[.genres] = .texts(genres) }
        if !cast.isEmpty { details[.cast] = .texts(cast) }
        if let description { details[.description] = .text(description) }
        details[.title] = .text(name ?? id)
        title.fileDetails = details
        title.show(details)
        try await temporary.catalogue.save(title)
        var values = TitleListing()
        listing(&values)
        try await list(id, values)
    }

    private func list(_ id: String, _ listing: TitleListing) async throws {
        try await temporary.catalogue.database.write { db in
            let number = try #require(try TitleRecord.number(ofID: id, db))
            try ShelfRows.change(of: number, db) { $0 = listing }
        }
    }

    private func ids(
        _ words: String? = nil, section: TitleSection? = nil, genre: String? = nil, order: ShelfOrder = .title,
        limit: Int = 100, visible: RecordVisibility? = nil
    ) async throws -> [String] {
        let query = ShelfQuery(
            matching: words, section: section, genre: genre, order: order, newSince: Self.newSince, visible: visible)
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await temporary.catalogue.titles(query, after: cursor, limit: limit)
            #expect(page.items.count <= limit)
            ids += page.items.map(\.record.id)
            cursor = page.next
        } while cursor != nil && ids.count < 100
        return ids
    }

    @Test func titlesStandInTheirSections() async throws {
        try await add("a", day: 0) { ($0.price, $0.isFeatured) = (5, true) }
        try await add("b", day: 4) { ($0.price, $0.regularPrice) = (3, 8) }
        try await add("c", day: 5)
        try await add("d", day: 6, state: .failed) { $0.isFeatured = true }
        #expect(try await ids() == ["a", "b", "c"])
        #expect(try await ids(section: .featured) == ["a"])
        #expect(try await ids(section: .offers) == ["b"])
        #expect(try await ids(section: .free) == ["c"])
        #expect(try await ids(section: .new) == ["b", "c"])
        #expect(try await ids(section: .new, order: .newest) == ["c", "b"])
        // What changes moves at once.
        var listing = TitleListing()
        listing.price = 8
        try await list("b", listing)
        #expect(try await ids(section: .offers) == [])
        try await temporary.catalogue.deleteTitle(id: "a")
        #expect(try await ids(section: .featured) == [])
        let rest: Int64? = try await temporary.catalogue.database.read { db in
            try db.firstValue("SELECT count(*) FROM titleShelf WHERE titleNumber = 1")
        }
        #expect(rest == 0)
    }

    @Test func listsAreSortedByPriceRatingAndTime() async throws {
        try await add("a", "Zoo", day: 2) { ($0.price, $0.voteCount, $0.ratingSum) = (7, 2, 16) }
        try await add("b", "Mar", day: 3) { ($0.price, $0.voteCount, $0.ratingSum) = (2, 5, 40) }
        try await add("c", "Álamo", day: 1) { ($0.voteCount, $0.ratingSum) = (1, 9) }
        try await add("d", "Nube", day: 1) { $0.price = 2 }
        #expect(try await ids(order: .newest) == ["b", "a", "d", "c"])
        #expect(try await ids(order: .title) == ["c", "b", "d", "a"])
        #expect(try await ids(order: .price) == ["c", "b", "d", "a"])
        // The same average: more votes come first. Without votes: the last.
        #expect(try await ids(order: .rating) == ["c", "b", "a", "d"])
        for order in ShelfOrder.allCases {
            #expect(try await ids(order: order, limit: 1) == ids(order: order), "\(order)")
        }
    }

    @Test func genresAreShelvesHoweverTheyAreWritten() async throws {
        try await add("a", genres: ["Comedia", "Acción"]) { $0.price = 4 }
        try await add("b", genres: ["accion"])
        try await add("c", genres: ["Drama"])
        try await add("d", genres: ["Western"], state: .failed)
        #expect(try await ids(genre: "ACCIÓN") == ["a", "b"])
        #expect(try await ids(section: .free, genre: "acción") == ["b"])
        #expect(try await ids(genre: "nothing") == [])
        #expect(try await temporary.catalogue.genres(visible: nil) == ["Acción", "Comedia", "Drama"])
    }

    @Test func whatIsNotVisibleIsLeftOut() async throws {
        try await add("a", genres: ["Drama"])
        try await add("b", genres: ["Secret"])
        try await temporary.catalogue.database.write { db in
            try AudienceRows.set(ItemAudienceName(rawValue: "invited"), in: .titles, of: "b", db)
        }
        let visible = RecordVisibility(showsUnset: true, audiences: [])
        #expect(try await ids(visible: visible) == ["a"])
        #expect(try await ids("a", order: .relevance, visible: visible) == ["a"])
        #expect(try await ids(genre: "secret", visible: visible) == [])
        #expect(try await temporary.catalogue.genres(visible: visible) == ["Drama"])
    }

    @Test(arguments: [1, 100]) func aSearchShowsTheBestMatchFirst(limit: Int) async throws {
        try await add("text", "Nothing", description: "A day by the sea, in a Strandkörbchen")
        try await add("inside", "Overseas", day: 1)
        try await add("word", "The Sea", day: 2)
        try await add("begins", "Sea of Sand", day: 3)
        try await add("exact", "Sea", day: 4)
        try await add("cast", "Another", cast: ["Anna Seabrook"])
        try await add("none", "Mountain")
        #expect(
            try await ids("sea", order: .relevance, limit: limit)
                == ["exact", "begins", "word", "inside", "cast", "text"])
        #expect(try await ids("SEÁ san", order: .relevance, limit: limit) == ["begins"])
        #expect(try await ids("verse", order: .relevance, limit: limit) == ["inside"])
        #expect(try await ids("KORB", order: .relevance, limit: limit) == ["text"])
        #expect(try await ids("seabr", order: .relevance, limit: limit) == ["cast"])
        #expect(try await ids("sea", section: .new, order: .newest, limit: limit) == ["exact", "begins"])
        // Pieces alone are not a match, and signs of the engines' syntax mean nothing.
        #expect(try await ids("seaside", order: .relevance, limit: limit) == [])
        #expect(try await ids("\" OR '' & % _", order: .relevance, limit: limit) == [])
    }

    /// The version before did not look inside the words of descriptions.
    @Test func descriptionsOfTheVersionBeforeAreFound() async throws {
        try await add("a", "Nothing", description: "Filmed from the Strandkorb")
        let database = temporary.catalogue.database
        try await database.write { db in
            let pieces = FullTextPieces.indexed("nothing")
            try db.execute("UPDATE \(TitleRecord.pieceTableName) SET text = ?1", .text(pieces))
            try db.execute("DELETE FROM schemaMigration WHERE domain = 'catalogue' AND version = 9")
        }
        #expect(try await ids("korb", order: .relevance) == [])
        _ = try await Catalogue.open(database, program: "test")
        #expect(try await ids("korb", order: .relevance) == ["a"])
    }

    /// More matches than are sorted: the ways to a page have the same titles.
    @Test func aSearchThatFindsMuchWalksTheShelf() async throws {
        try await temporary.catalogue.database.write(durability: .onDisk, within: .seconds(60)) { db in
            for index in 0..<(ShelfPage.fewMatchesLimit + 20) {
                let name = index % 3 == 0 ? "Common \(1_000 + index)" : "A common \(1_000 + index)"
                try TitleRecord.sample("t\(index)", title: name).insert(db)
            }
        }
        let query = ShelfQuery(matching: "common", order: .relevance, newSince: Self.newSince)
        var found: [String] = []
        var cursor: String?
        repeat {
            let page = try await temporary.catalogue.titles(query, after: cursor, limit: 200)
            found += page.items.map(\.record.title)
            cursor = page.next
        } while cursor != nil && found.count < 2_000
        let begins = found.prefix { $0.hasPrefix("Common") }
        #expect(found.count == ShelfPage.fewMatchesLimit + 20 && Set(found).count == found.count)
        #expect(begins.count == (ShelfPage.fewMatchesLimit + 22) / 3 && Array(begins) == begins.sorted())
    }

    @Test func aCursorBelongsToItsOrder() async throws {
        for id in ["a", "b", "c"] { try await add(id) }
        let page = try await temporary.catalogue.titles(
            ShelfQuery(order: .price, newSince: Self.newSince), after: nil, limit: 1)
        let cursor = try #require(page.next)
        await #expect(throws: Refusal.self) {
            _ = try await temporary.catalogue.titles(
                ShelfQuery(order: .title, newSince: Self.newSince), after: cursor, limit: 1)
        }
        for text in ["", "x", "czE", String(repeating: "A", count: 4_000)] {
            await #expect(throws: Refusal.self) {
                _ = try await temporary.catalogue.titles(
                    ShelfQuery(order: .price, newSince: Self.newSince), after: text, limit: 1)
            }
        }
    }

    @Test func listingsAreReadForAPage() async throws {
        try await add("a") { ($0.price, $0.voteCount, $0.ratingSum) = (7, 3, 25) }
        try await add("b")
        let listings = try await temporary.catalogue.listings(of: ["a", "b", "c"])
        #expect(listings["a"]?.price == 7 && listings["a"]?.averageRating == 8.33 && listings["c"] == nil)
    }
}
