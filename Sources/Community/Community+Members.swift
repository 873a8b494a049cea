package import Accounts
package import Database
import MediaCore

extension Community {
    /// Limit of those whom one member follows.
    package static let maximumFollowingCount: Int64 = 5_000

    /// The account of a member.
    ///
    /// - Throws: ``CommunityError`` with `notFound`.
    package func member(named name: String) async throws -> UserID {
        try await database.read { db in try Self.member(named: name, db) }
    }

    private static func member(named name: String, _ db: any SQLConnection) throws -> UserID {
        guard let id = try FollowRows.member(named: name, db) else {
            throw CommunityError(.notFound, "there is no such member")
        }
        return id
    }

    /// What everybody may know of a member.
    ///
    /// - Throws: ``CommunityError`` with `notFound`.
    package func profile(of name: String, for caller: Caller) async throws -> MemberProfile {
        let reader = caller.principal.member?.id
        return try await database.read { db in try Self.profile(of: name, reader: reader, db) }
    }

    private static func profile(of name: String, reader: UserID?, _ db: any SQLConnection) throws -> MemberProfile {
        guard let profile = try FollowRows.profile(try member(named: name, db), reader: reader, db) else {
            throw CommunityError(.notFound, "there is no such member")
        }
        return profile
    }

    /// Notes that the caller follows a member, or does not any more. Doing it again changes nothing.
    ///
    /// - Returns: the profile after it.
    /// - Throws: ``CommunityError`` with `notFound`, `loginNeeded`, `tooMany`, or `conflict` for the caller's own account.
    package func setFollow(_ isFollowed: Bool, _ name: String, by caller: Caller) async throws -> MemberProfile {
        let (follower, now) = (try Self.member(caller).id, now)
        return try await database.write { db in
            let followed = try Self.member(named: name, db)
            guard followed != follower else { throw CommunityError(.conflict, "nobody can follow themselves") }
            if isFollowed, try FollowRows.followingCount(of: follower, db) >= Self.maximumFollowingCount {
                throw CommunityError(.tooMany, "a member follows at most \(Self.maximumFollowingCount) others")
            }
            let hasChanged = try FollowRows.set(isFollowed, followed, by: follower, at: now, db)
            if hasChanged, isFollowed { try self.tell(.followed(followed, by: follower), at: now, db) }
            return try Self.profile(of: name, reader: follower, db)
        }
    }

    /// Which side of following a list shows.
    package enum FollowSide: Sendable, Hashable {
        case followers, followings
    }

    /// A page of those who follow a member or are followed, the last ones first.
    ///
    /// - Throws: ``CommunityError`` with `notFound` or `invalidCursor`.
    package func members(
        _ side: FollowSide, of name: String, for caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> AccountsPage<ListedMember> {
        let (reader, size) = (caller.principal.member?.id, AccountsPage<ListedMember>.size(limit))
        let start = try PageStart(cursor).number
        let (column, own) = side == .followers ? ("follower", "followed") : ("followed", "follower")
        return try await database.read { db in
            let member = try Self.member(named: name, db)
            let rows = try MemberListRows.members(
                in: "memberFollow", column, where: "\(own) = ?1", .text(member.text), reader: reader, before: start,
                limit: size + 1, db)
            return AccountsPage(rows, size: size) { String($0.number) }
        }
    }

    /// Takes what a member has done out of all counters and lists, before their account is deleted in the same
    /// transaction: videos, likes, comments, follows and reports.
    package func forget(_ member: UserID, _ db: any SQLConnection) throws {
        try LikeRows.forget(member, db)
        try CommentRows.forget(member, keepsTexts: settings.commentsStay, db)
        try ReportRows.forget(reporter: member, db)
        try FollowRows.forget(member, db)
        var videos: [(id: OpaqueID, number: Int64)]
        repeat {
            videos = try db.rows(
                "SELECT id, number FROM communityVideo WHERE ownerID = ?1 ORDER BY publishedAt LIMIT ?2",
                [.text(member.text), SQLValue(Self.batchSize)]
            ) { row in (id: try row.value(0), number: try row.value(1)) }
            for (id, number) in videos {
                if let video = try VideoRows.video(id, reader: nil, db) {
                    try Self.remove(video, db)
                } else {
                    try Self.removeWithoutTitle(number, db)
                }
            }
        } while videos.count == Self.batchSize
    }

    /// Number of videos that are removed at once.
    static let batchSize = 100
}
