import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Forum

/// How the engines carry out the lists of the forum: by walking an index in the order of the list, without sorting.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ForumPlanTests {
    private static let topicCount = 4_000

    private func filled() async throws -> (ForumFixture, ForumCategory) {
        let fixture = try await ForumFixture()
        let category = try await fixture.category()
        let ana = try ForumFixture.id(try await fixture.member("ana"))
        try await fixture.database.write(durability: .soon, within: .seconds(60)) { db in
            try db.execute(
                """
                WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?1)
                INSERT INTO forumTopic(id, category, kind, title, titleKey, authorID, state, isListed, isLocked,
                    isPinned, notifies, comments, places, createdAt, lastAt, revision)
                SELECT 't' || value, ?2, 'discussion', 'topic ' || value, 'topic ' || value, ?3, 'shown', 1, 0,
                    CASE WHEN value % 1000 = 0 THEN 1 ELSE 0 END, 1, 3, 3, value, value * 7 % 4001, 1 FROM n
                """, SQLValue(Self.topicCount), .integer(category.number), .text(ana.text))
            try db.execute(
                """
                WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 3)
                INSERT INTO forumComment(id, topic, place, authorID, text, state, notifies, writtenAt)
                SELECT 'k' || number || '-' || value, number, value, ?1, 'needle', 'shown', 1, value FROM forumTopic, n
                """, .text(ana.text))
            let tables = db.dialect == .sqlite ? [""] : ["forumTopic", "forumComment"]
            for table in tables { try db.execute("ANALYZE \(table)") }
        }
        return (fixture, category)
    }

    @Test func everyListWalksAnIndex() async throws {
        let (fixture, category) = try await filled()
        let topic = try await fixture.topic("In the list", in: category, by: try await fixture.member("eva"))
        for (scope, index) in [(nil, "forumtopic_latest"), (category.number, "forumtopic_category")] {
            for isForward in [true, false] {
                for cursor in [nil, TopicCursor(isForward: isForward, of: topic)] {
                    let list = TopicList(category: scope, after: cursor, isForward: isForward, limit: 51)
                    try await expect(index, list.sql, list.arguments, "\(index) \(isForward)", fixture)
                }
            }
        }
        try await expect(
            "forumcomment_place", TopicCommentRows.listStatement,
            [.text(""), .integer(topic.number), .integer(40), 21], "comments", fixture)
    }

    private func expect(
        _ index: String, _ sql: String, _ arguments: [SQLValue], _ name: String, _ fixture: ForumFixture
    ) async throws {
        let plan = try await fixture.database.read { db in try db.plan(of: sql, arguments) }
        let text = plan.joined(separator: "\n")
        #expect(text.lowercased().contains(index), "\(name): \(text)")
        #expect(!text.lowercased().contains("seq scan on forum"), "\(name): \(text)")
    }

    @Test func categoriesAreReadByAnIndex() async throws {
        let (fixture, _) = try await filled()
        let plan = try await fixture.database.read { db in try db.plan(of: CategoryRows.listStatement, []) }
        #expect(plan.joined().lowercased().contains("forumcategory"))
    }
}
