import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import MediaCore
import Testing

@testable import VideoClub

/// The terms and votes in lists.
@Suite(.eachEngine) struct ListingTests {
    private func ids(
        _ fixture: ClubFixture, section: TitleSection? = nil, order: ShelfOrder = .title
    ) async throws -> [String] {
        try await fixture.catalogue.titles(
            ShelfQuery(section: section, order: order, newSince: fixture.club.newSince), after: nil, limit: 100
        ).items.map(\.record.id)
    }

    @Test func listsFollowTermsAndVotes() async throws {
        let fixture = try await ClubFixture()
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        try await fixture.price("a", 5) { ($0.regularPrice, $0.isFeatured) = (8, true) }
        try await fixture.price("b", 2)
        _ = try await fixture.club.vote(10, for: "c", by: ana)
        _ = try await fixture.club.vote(4, for: "c", by: eva)
        _ = try await fixture.club.vote(8, for: "d", by: ana)
        #expect(try await ids(fixture, section: .offers) == ["a"])
        #expect(try await ids(fixture, section: .featured) == ["a"])
        #expect(try await ids(fixture, section: .free) == ["c", "d", "e"])
        #expect(try await ids(fixture, order: .rating).prefix(2) == ["d", "c"])
        #expect(try await ids(fixture, order: .price) == ["c", "d", "e", "b", "a"])
        let listing = try #require(try await fixture.catalogue.listings(of: ["c"])["c"])
        #expect(listing.voteCount == 2 && listing.averageRating == 7)
    }

    /// A trailer is reached from its film.
    @Test func aTrailerLeavesTheLists() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5) { $0.trailer = "b" }
        try await fixture.price("c", 5) { $0.trailer = "b" }
        #expect(try await ids(fixture) == ["a", "c", "d", "e"])
        #expect(try await fixture.catalogue.title(id: "b")?.kind == .trailer)
        // It is the trailer of another one still.
        try await fixture.price("a", 5) { $0.trailer = "d" }
        #expect(try await ids(fixture) == ["a", "c", "e"])
        try await fixture.price("c", 5) { $0.trailer = nil }
        #expect(try await ids(fixture) == ["a", "b", "c", "e"])
        // The film of one is deleted.
        try await fixture.catalogue.deleteTitle(id: "a")
        try await fixture.club.sweep()
        #expect(try await ids(fixture) == ["b", "c", "d", "e"])
    }

    @Test func theUpgradeMarksTrailers() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5) { $0.trailer = "b" }
        try await fixture.database.write { db in
            let number = try #require(try TitleRows.title(id: "b", db)?.number)
            try ShelfRows.change(of: number, db) { $0.isTrailer = false }
            try db.execute("DELETE FROM schemaMigration WHERE domain = 'video-club' AND version = 6")
        }
        #expect(try await ids(fixture) == ["a", "b", "c", "d", "e"])
        _ = try await fixture.other()
        #expect(try await ids(fixture) == ["a", "c", "d", "e"])
    }

    @Test func anOfferCostsLessThanUsual() async throws {
        let fixture = try await ClubFixture()
        for regular: Int64 in [5, 4, -1, TitleTerms.maximumPrice + 1] {
            let code = await ClubFixture.code {
                try await fixture.price("a", 5) { $0.regularPrice = regular }
            }
            #expect(code == .invalidField, "\(regular)")
        }
    }

    @Test func whatWasAddedLatelyIsNew() async throws {
        let fixture = try await ClubFixture()
        // The titles of the fixture are of 1970.
        #expect(try await ids(fixture, section: .new) == [])
        fixture.club.settings.timeNew = .seconds(100 * 366 * 86_400)
        #expect(try await ids(fixture, section: .new) == ["a", "b", "c", "d", "e"])
    }

    /// The votes of somebody who has left are gone from lists after a sweep.
    @Test func aSweepComparesListsWithVotes() async throws {
        let fixture = try await ClubFixture()
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        _ = try await fixture.club.vote(10, for: "c", by: ana)
        _ = try await fixture.club.vote(4, for: "c", by: eva)
        let id = try ClubFixture.id(ana)
        try await fixture.database.write { db in
            try db.execute("DELETE FROM titleVote WHERE userID = ?1", .text(id.text))
        }
        try await fixture.club.sweep()
        let listing = try #require(try await fixture.catalogue.listings(of: ["c"])["c"])
        #expect(listing.voteCount == 1 && listing.ratingSum == 4)
    }

    /// A server of the version before does not know lists.
    @Test func theUpgradeFillsLists() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5)
        _ = try await fixture.club.vote(9, for: "a", by: try await fixture.member("ana"))
        try await fixture.database.write { db in
            try db.execute("DELETE FROM titleListing")
            try db.execute("DELETE FROM titleShelf")
            try ClubMigrations.fillListings(db)
        }
        try await fixture.club.sweep()
        #expect(try await ids(fixture, order: .price) == ["b", "c", "d", "e", "a"])
        #expect(try await fixture.catalogue.listings(of: ["a"])["a"]?.averageRating == 9)
    }

    /// Such a server writes terms and votes beside this one, and nothing else.
    @Test func aSweepShowsWhatAServerOfTheVersionBeforeHasWritten() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5)
        _ = try await fixture.club.vote(9, for: "b", by: try await fixture.member("ana"))
        try await fixture.database.write { db in
            try db.execute("DELETE FROM titleListing")
            try db.execute("DELETE FROM titleShelf")
        }
        try await fixture.club.sweep()
        #expect(try await ids(fixture, order: .price) == ["b", "c", "d", "e", "a"])
        #expect(try await ids(fixture, order: .rating).first == "b")
    }

    @Test func termsOfManyTitlesAreReadAtOnce() async throws {
        let fixture = try await ClubFixture()
        try await fixture.price("a", 5) { $0.trailer = "c" }
        try await fixture.price("b", 0) { $0.isFeatured = true }
        let terms = try await fixture.club.terms(ofTitles: ["a", "b", "c", "nothing"])
        #expect(terms["a"]?.trailer == "c" && terms["b"]?.isFeatured == true && terms.count == 2)
        #expect(try await fixture.club.terms(ofTitles: []) == [:])
    }

    @Test func listsCanBeForMembers() async throws {
        let fixture = try await ClubFixture()
        let ana = try await fixture.member("ana")
        var settings = ClubSettings()
        #expect(settings.showsLists(to: .anonymous))
        settings.listing = .members
        #expect(!settings.showsLists(to: .anonymous))
        #expect(settings.showsLists(to: ana.principal) && settings.showsLists(to: .machine(.tokenFile)))
    }
}
