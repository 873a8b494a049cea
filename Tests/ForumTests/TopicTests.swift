import Accounts
import Community
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Forum

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct TopicTests {
    private let fixture: ForumFixture
    private let (ana, eva): (Caller, Caller)
    private let category: ForumCategory
    private var forum: Forum { fixture.forum }

    init() async throws {
        fixture = try await ForumFixture()
        ana = try await fixture.member("ana")
        eva = try await fixture.member("eva")
        category = try await fixture.category()
    }

    private func titles(
        in id: OpaqueID? = nil, after cursor: String? = nil, fromEnd: Bool = false, limit: Int? = nil
    ) async throws -> [String] {
        try await forum.topics(in: id, after: cursor, fromEnd: fromEnd, limit: limit).items.map(\.title)
    }

    @Test func aTopicHasATitleAndAFirstComment() async throws {
        let topic = try await fixture.topic("  Rally   of Oulu ", "hello", in: category, by: ana)
        #expect(topic.title == "Rally of Oulu" && topic.comments == 1 && topic.authorName == "ana")
        #expect(topic.category.topics == 1)
        let found = try await forum.comments(of: topic.id, for: .anonymous, isModerator: false)
        #expect(found.page.items.map(\.text) == ["hello"] && found.page.items.first?.place == 1)
    }

    /// The four mistakes of the form differ in their code and field.
    @Test func eachMistakeHasARefusalOfItsOwn() async throws {
        let topic = try await fixture.topic("Árbitros", in: category, by: ana)
        func refusal(_ title: String, _ text: String = "x") async -> Refusal? {
            await Refusal.of { try await fixture.topic(title, text, in: category, by: eva) }
        }
        let empty = await refusal(" \n ")
        #expect(empty?.code == .emptyField && empty?.field == "title")
        let short = await refusal("  abc d  ")
        #expect(short?.code == .invalidField && short?.facts["minimumLength"] == .number(6))
        let long = await refusal(String(repeating: "a", count: 201))
        #expect(long?.code == .invalidField && long?.facts.isEmpty == true)
        let exists = await refusal(" ARBITROS ")
        #expect(exists?.code == .conflict && exists?.field == "title")
        #expect(exists?.facts == ["topic": .text(topic.id.text), "topicTitle": .text("Árbitros")])
        let comment = await refusal("Another one", " \n ")
        #expect(comment?.code == .emptyField && comment?.field == "text")
        #expect(try await titles() == ["Árbitros"])
        _ = try await fixture.topic("abcdef", in: category, by: eva)
    }

    @Test func aTitleIsUniqueInItsCategoryOnly() async throws {
        let other = try await fixture.category("Other")
        _ = try await fixture.topic("Hello you", in: category, by: ana)
        let moved = try await fixture.topic("Hello you", in: other, by: ana)
        var change = ForumTopicChange()
        change.category = category.id
        let refused = await ForumFixture.code { [change] in
            try await forum.change(moved.id, change, by: ana, isModerator: true)
        }
        #expect(refused == .conflict)
        change.title = "Hello them"
        let topic = try await forum.change(moved.id, change, by: ana, isModerator: true)
        #expect(topic.category.id == category.id && topic.editedAt != nil)
        #expect(try await forum.categories().map(\.topics) == [2, 0])
    }

    @Test func membersWriteOnlyWithTheRulesAcceptedAndOnlySoMuch() async throws {
        let leo = try await fixture.newMember("leo")
        let refused = await Refusal.of { try await fixture.topic("Hello you", in: category, by: leo) }
        #expect(refused?.code == .conflict && refused?.field == "acceptsRules")
        try await forum.acceptRules(by: leo)
        for number in 0..<Forum.maximumTopicCount {
            _ = try await fixture.topic("Number \(number)", in: category, by: leo)
        }
        let many = await ForumFixture.code { try await fixture.topic("One more", in: category, by: leo) }
        #expect(many == .tooManyAttempts)
        fixture.clock.advance(by: Forum.topicWindow)
        _ = try await fixture.topic("One more", in: category, by: leo)
        #expect(
            await ForumFixture.code { try await fixture.topic("Hello", in: category, by: .anonymous) } == .loginNeeded)
    }

    @Test func theLastTalkedAboutComesFirstAndPinnedOnesBeforeItsCategory() async throws {
        var topics: [ForumTopic] = []
        for name in ["topic a", "topic b", "topic c"] {
            topics.append(try await fixture.topic(name, in: category, by: ana))
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(try await titles() == ["topic c", "topic b", "topic a"])
        _ = try await fixture.comment("again", in: topics[0], by: eva)
        #expect(try await titles(in: category.id) == ["topic a", "topic c", "topic b"])
        var change = ForumTopicChange()
        change.isPinned = true
        let refused = await ForumFixture.code { [change] in
            try await forum.change(topics[1].id, change, by: ana, isModerator: false)
        }
        #expect(refused == .forbidden)
        _ = try await forum.change(topics[1].id, change, by: eva, isModerator: true)
        #expect(try await titles(in: category.id) == ["topic b", "topic a", "topic c"])
        #expect(try await titles() == ["topic a", "topic c", "topic b"])
    }

    @Test func pagesLeadForwardAndBackAndFromTheEnd() async throws {
        let count = 9
        for number in 0..<count {
            _ = try await fixture.topic("topic \(number)", in: category, by: ana)
            fixture.clock.advance(by: .seconds(1))
        }
        for scope in [nil, category.id] {
            let all = (0..<count).reversed().map { "topic \($0)" }
            let first = try await forum.topics(in: scope, limit: 4)
            #expect(first.items.map(\.title) == Array(all[0..<4]) && first.previous == nil)
            let second = try await forum.topics(in: scope, after: first.next, limit: 4)
            #expect(second.items.map(\.title) == Array(all[4..<8]))
            let third = try await forum.topics(in: scope, after: second.next, limit: 4)
            #expect(third.items.map(\.title) == ["topic 0"] && third.next == nil)
            #expect(try await titles(in: scope, after: second.previous, limit: 4) == Array(all[0..<4]))
            let last = try await forum.topics(in: scope, fromEnd: true, limit: 4)
            #expect(last.items.map(\.title) == Array(all[5..<9]) && last.next == nil)
            let before = try await forum.topics(in: scope, after: last.previous, limit: 4)
            #expect(before.items.map(\.title) == Array(all[1..<5]))
            let top = try await forum.topics(in: scope, after: before.previous, limit: 4)
            #expect(top.items.map(\.title) == ["topic 8"] && top.previous == nil && top.next != nil)
        }
        #expect(await ForumFixture.code { try await titles(after: "rubbish") } == .invalidCursor)
    }

    @Test func topicsAboutAChannelAreInNoOtherList() async throws {
        let channel = try await forum.requireCategory(.channel, "canalA")
        #expect(try await forum.requireCategory(.channel, "canalA").id == channel.id)
        let topic = try await fixture.topic("About Canal A", in: channel, by: ana)
        #expect(topic.category.kind == .channel && topic.category.subject == "canalA")
        #expect(try await titles() == [])
        #expect(try await titles(in: channel.id) == ["About Canal A"])
        #expect(try await forum.categories().map(\.id) == [category.id])
        #expect(try await forum.search("canal", for: ana).items.isEmpty)
        #expect(try await forum.search("canal", in: channel.id, for: ana).items.count == 1)
    }

    @Test func anAuthorDeletesATopicUntilOthersTalkThere() async throws {
        let topic = try await fixture.topic("Hello you", in: category, by: ana)
        let refused = await ForumFixture.code {
            try await forum.deleteTopic(topic.id, by: eva, isModerator: false)
        }
        #expect(refused == .forbidden)
        _ = try await fixture.comment("hello", in: topic, by: eva)
        let late = await ForumFixture.code { try await forum.deleteTopic(topic.id, by: ana, isModerator: false) }
        #expect(late == .conflict)
        try await forum.deleteTopic(topic.id, by: eva, isModerator: true)
        #expect(await ForumFixture.code { try await forum.topic(topic.id, for: ana, isModerator: true) } == .notFound)
        #expect(try await titles() == [])
        #expect(try await forum.categories().map(\.topics) == [0])
        _ = try await fixture.topic("Hello you", in: category, by: eva)
        try await forum.sweep()
        let left = try await fixture.database.read { db in
            try ["forumTopic", "forumComment", "forumText"].map { table -> Int64 in
                try db.firstValue("SELECT COUNT(*) FROM \(table)") ?? 0
            }
        }
        #expect(left == [1, 1, 1])
    }

    @Test func aLockedTopicIsForModerators() async throws {
        let topic = try await fixture.topic("Hello you", in: category, by: ana)
        var change = ForumTopicChange()
        change.isLocked = true
        #expect(try await forum.change(topic.id, change, by: eva, isModerator: true).isLocked)
        #expect(await ForumFixture.code { try await fixture.comment("late", in: topic, by: ana) } == .conflict)
        change.isLocked = nil
        change.title = "Hello again"
        let refused = await ForumFixture.code { [change] in
            try await forum.change(topic.id, change, by: ana, isModerator: false)
        }
        #expect(refused == .conflict)
        _ = try await fixture.comment("closed because", in: topic, by: eva, isModerator: true)
    }

    @Test func operatorsMakeRenameAndRemoveCategories() async throws {
        var change = ForumCategoryChange()
        let nameless = await ForumFixture.code { [change] in try await forum.createCategory(change) }
        #expect(nameless == .missingFields)
        change.name = " GÉNERAL "
        let again = await ForumFixture.code { [change] in try await forum.createCategory(change) }
        #expect(again == .conflict)
        change.name = "Rallies"
        change.text = "All about rallies"
        let new = try await forum.createCategory(change)
        change.name = nil
        change.place = 5
        _ = try await forum.changeCategory(category.id, change)
        #expect(try await forum.categories().map(\.name) == ["Rallies", "General"])
        let topic = try await fixture.topic("Hello you", in: new, by: ana)
        #expect(await ForumFixture.code { try await forum.deleteCategory(new.id) } == .conflict)
        try await forum.deleteTopic(topic.id, by: ana, isModerator: false)
        try await forum.sweep()
        try await forum.deleteCategory(new.id)
        #expect(await ForumFixture.code { try await forum.category(new.id) } == .notFound)
    }
}
