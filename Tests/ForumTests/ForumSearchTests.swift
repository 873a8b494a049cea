import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Forum

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ForumSearchTests {
    private let fixture: ForumFixture
    private let ana: Caller
    private let category: ForumCategory
    private var forum: Forum { fixture.forum }

    init() async throws {
        fixture = try await ForumFixture()
        ana = try await fixture.member("ana")
        category = try await fixture.category()
    }

    private func found(_ words: String) async throws -> [String] {
        try await forum.search(words, for: ana).items.map { "\($0.topicTitle) \($0.place)" }
    }

    @Test func wordsOfTitlesAndCommentsAreFoundWithoutCaseAndAccents() async throws {
        let rally = try await fixture.topic("Rallye de Málaga", "who drives", in: category, by: ana)
        _ = try await fixture.topic("Another thing", "málaga again", in: category, by: ana)
        let comment = try await fixture.comment("Carlos DRIVES", in: rally, by: ana)
        #expect(try await found("malaga") == ["Another thing 1", "Rallye de Málaga 1"])
        #expect(try await found("driv") == ["Rallye de Málaga 2", "Rallye de Málaga 1"])
        #expect(try await found("driv carlos") == ["Rallye de Málaga 2"])
        #expect(try await found("\" OR ' --") == [])
        #expect(try await found("") == [])
        _ = try await forum.edit(comment.id, "Someone else", by: ana, isModerator: false)
        #expect(try await found("carlos") == [])
        var change = ForumTopicChange()
        change.title = "Rallye de Sevilla"
        _ = try await forum.change(rally.id, change, by: ana, isModerator: false)
        #expect(try await found("malaga") == ["Another thing 1"])
        #expect(try await found("sevilla") == ["Rallye de Sevilla 1"])
    }

    @Test func pagesOfASearchNeitherRepeatNorSkip() async throws {
        let topic = try await fixture.topic("Hello you", in: category, by: ana)
        for _ in 0..<24 {
            _ = try await forum.comment("needle", in: topic.id, notifies: false, by: ana, isModerator: true)
        }
        var (places, cursor): ([Int64], String?) = ([], nil)
        repeat {
            let page = try await forum.search("needle", for: ana, after: cursor, limit: 10)
            places += page.items.map(\.place)
            cursor = page.next
        } while cursor != nil
        #expect(places == Array((2...25).reversed()))
    }

    /// Both ways to the comments find the same.
    @Test func eachWayFindsTheSame() async throws {
        let topic = try await fixture.topic("Hello you", in: category, by: ana)
        for number in 0..<30 {
            _ = try await forum.comment(
                number % 2 == 0 ? "needle" : "hay", in: topic.id, notifies: false, by: ana, isModerator: true)
        }
        let query = try #require(ForumText.query("needle"))
        let found = try await fixture.database.read { db in
            try CommentSearch.Way.allCases.filter { db.dialect == .postgreSQL || $0 == .matches }.map { way in
                let search = CommentSearch(
                    query, category: nil, before: .max, reader: "", limit: 21, way: way, db.dialect)
                return try db.rows(search.sql, search.arguments) { row in try row.value("place") as Int64 }
            }
        }
        #expect(found.allSatisfy { $0 == found[0] } && found[0].count == 15)
    }
}
