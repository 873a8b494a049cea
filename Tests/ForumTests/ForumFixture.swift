import Accounts
import Catalogue
import Community
import Database
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Forum

/// A forum in a database of the test's own, with a clock that the test moves.
final class ForumFixture: Sendable {
    private let base: TestAccounts
    let community: Community
    let forum: Forum

    var clock: TestClock { base.clock }
    var database: any SQLDatabase { base.database }
    var accounts: Accounts { base.accounts }

    init(_ settings: CommunitySettings = CommunitySettings()) async throws {
        base = try await TestAccounts()
        _ = try await Catalogue.open(base.database, program: "test")
        community = try await Community.open(
            base.database, program: "test", settings: settings, wallClock: base.clock.wallClock)
        forum = try await Forum.open(
            base.database, community: community, program: "test", wallClock: base.clock.wallClock)
        community.add(forum.reportableItems, as: .topicComment)
    }

    /// A member who has accepted the rules.
    func member(_ name: String, role: Role = .member) async throws -> Caller {
        let caller = try await base.caller(name, role)
        try await forum.acceptRules(by: caller)
        return caller
    }

    func newMember(_ name: String) async throws -> Caller { try await base.caller(name, .member) }

    func category(_ name: String = "General") async throws -> ForumCategory {
        var change = ForumCategoryChange()
        change.name = name
        return try await forum.createCategory(change)
    }

    func topic(
        _ title: String, _ text: String = "first", in category: ForumCategory, by caller: Caller, notifies: Bool = true
    ) async throws -> ForumTopic {
        try await forum.begin(
            title, text: text, in: category.id, notifies: notifies, by: caller, isModerator: false)
    }

    func comment(
        _ text: String, in topic: ForumTopic, by caller: Caller, isModerator: Bool = false, notifies: Bool = true
    ) async throws -> ForumComment {
        try await forum.comment(text, in: topic.id, notifies: notifies, by: caller, isModerator: isModerator)
    }

    static func id(_ caller: Caller) throws -> UserID { try #require(caller.principal.member).id }

    static func code(_ body: () async throws -> some Any) async -> Refusal.Code? { await Refusal.of(body)?.code }
}

extension Caller {
    static let anonymous = Caller(.anonymous, TestAccounts.origin)
}
