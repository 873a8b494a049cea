package import Accounts
import Community
import Database
import MediaCore

extension Forum {
    /// Sets whether a member is told of comments in the forum, a category or a topic.
    ///
    /// - Parameters:
    ///   - isOn: whether they are told of all comments; `false` to be told of nothing, `nil` for what is usual: new
    ///     topics, and comments where they talk themselves.
    ///   - subject: where.
    ///   - caller: the member.
    ///   - isModerator: whether the caller may moderate, and sees hidden topics.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded` or `tooMany`.
    package func setFollow(
        _ isOn: Bool?, _ subject: ForumFollow.Subject, by caller: Caller, isModerator: Bool
    ) async throws {
        let (member, now) = (try Community.member(caller).id, now)
        try await database.write { db in
            if isOn != nil, try ForumFollowRows.count(of: member, db) >= ForumFollow.maximumCount {
                throw Refusal(.tooMany, "a member can follow at most \(ForumFollow.maximumCount) topics and categories")
            }
            let (scope, number) = try Self.place(of: subject, reader: member, isModerator: isModerator, db)
            try ForumFollowRows.set(isOn, scope, number, of: member, at: now, db)
        }
    }

    /// A member's choice; `nil` for what is usual.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func follow(
        _ subject: ForumFollow.Subject, of caller: Caller, isModerator: Bool
    ) async throws -> Bool? {
        guard let member = caller.principal.member?.id else { return nil }
        return try await database.read { db in
            let (scope, number) = try Self.place(of: subject, reader: member, isModerator: isModerator, db)
            return try ForumFollowRows.choice(scope, number, of: member, db)
        }
    }

    /// All choices of a member, the whole forum first.
    package func follows(of member: UserID) async throws -> [ForumFollow] {
        try await database.read { db in try ForumFollowRows.all(of: member, db) }
    }

    private static func place(
        of subject: ForumFollow.Subject, reader: UserID, isModerator: Bool, _ db: any SQLConnection
    ) throws -> (ForumFollow.Scope, Int64) {
        switch subject {
        case .all: (.all, 0)
        case .category(let id): (.category, try CategoryRows.required(id, db).number)
        case .topic(let id):
            (.topic, try TopicRows.required(id, reader: reader, isModerator: isModerator, db).number)
        }
    }
}
