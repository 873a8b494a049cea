package import Accounts
package import Database
package import MediaCore

extension Community {
    /// Limit of the members whom one member follows.
    package static let maximumFollowingCount: Int64 = 5_000

    /// The account of a member.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func member(named name: String) async throws -> UserID {
        try await database.read { db in try Self.member(named: name, db) }
    }

    static func member(named name: String, _ db: any SQLConnection) throws -> UserID {
        guard let id = try AccountReferences.active(named: name, db) else {
            throw Refusal(.notFound, "there is no such member")
        }
        return id
    }

    /// The profile of a member, as far as the reader may see it.
    ///
    /// - Parameters:
    ///   - name: the username.
    ///   - caller: the reader.
    ///   - maySeeHidden: whether they may see a profile that was hidden, as moderators may.
    /// - Throws: `Refusal` with `notFound`, also for a hidden profile of somebody else, or `loginNeeded` for a
    ///   stranger if the profile is for members.
    package func profile(
        of name: String, for caller: Caller, maySeeHidden: Bool = false
    ) async throws -> MemberProfile {
        let reader = caller.principal.member?.id
        return try await database.read { db in
            let profile = try Self.profile(of: name, reader: reader, db)
            try Self.require(profile, isSeenBy: caller, maySeeHidden: maySeeHidden)
            return profile
        }
    }

    private static func require(
        _ profile: MemberProfile, isSeenBy caller: Caller, maySeeHidden: Bool = false
    ) throws(Refusal) {
        guard profile.state == .shown || maySeeHidden || profile.id == caller.principal.member?.id else {
            throw Refusal(.notFound, "this profile is hidden")
        }
        guard profile.visibility == .everybody || !isStranger(caller) else {
            throw Refusal(.loginNeeded, "this profile is for members; log in to see it")
        }
    }

    static func profile(of name: String, reader: UserID?, _ db: any SQLConnection) throws -> MemberProfile {
        guard let profile = try FollowRows.profile(try member(named: name, db), reader: reader, db) else {
            throw Refusal(.notFound, "there is no such member")
        }
        return profile
    }

    /// Notes that the caller follows a member, or does not any more. Doing it again changes nothing.
    ///
    /// - Returns: the profile after it.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `tooMany`, or `conflict` for the caller's own
    ///   account.
    package func setFollow(_ isFollowed: Bool, _ name: String, by caller: Caller) async throws -> MemberProfile {
        let (follower, now) = (try Self.member(caller).id, now)
        return try await database.write { db in
            let followed = try Self.member(named: name, db)
            guard followed != follower else { throw Refusal(.conflict, "you cannot follow yourself") }
            if isFollowed {
                try BarrierRows.requireNotBlocked(follower, by: followed, db)
                if try BarrierRows.isSet(.block, followed, by: follower, db) {
                    throw Refusal(.conflict, "you have blocked this member; unblock them first")
                }
            }
            if isFollowed, try FollowRows.followingCount(of: follower, db) >= Self.maximumFollowingCount {
                throw Refusal(.tooMany, "a member can follow at most \(Self.maximumFollowingCount) others")
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
    /// - Throws: `Refusal` with `notFound`, `invalidCursor`, `loginNeeded` for a stranger if the profile is
    ///   for members, or `forbidden` if the member does not show it.
    package func members(
        _ side: FollowSide, of name: String, for caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ListedMember> {
        let (reader, size) = (caller.principal.member?.id, ListPage<ListedMember>.size(limit))
        let start = try ListCursor.start(cursor)
        let (column, own) = side == .followers ? ("follower", "followed") : ("followed", "follower")
        return try await database.read { db in
            let profile = try Self.profile(of: name, reader: reader, db)
            try Self.require(profile, isSeenBy: caller)
            let member = profile.id
            guard profile.showsFollows || member == reader else {
                throw Refusal(.forbidden, "\(profile.username) does not share follower lists")
            }
            let rows = try MemberListRows.members(
                in: "memberFollow", column, where: "\(own) = ?1", .text(member.text), reader: reader, before: start,
                limit: size + 1, db)
            return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
        }
    }

    /// Takes what a member has done out of all counters and lists, before their account is deleted in the same
    /// transaction: videos, likes, comments and follows. What they have sent is deleted soon after. Other
    /// titles of unlisted and hidden videos stay kept from everybody, until somebody publishes them. Reports stay
    /// without the name of their author.
    package func forget(_ member: UserID, _ db: any SQLConnection) throws {
        try LikeRows.forget(member, db)
        try CommentRows.forget(member, keepsTexts: settings.commentsStay, db)
        try ReportRows.forget(reporter: member, db)
        try FollowRows.forget(member, db)
        try UploadRows.forget(member, db)
        try ReportRows.forget(.profile, member.text, db)
        let now = now
        var videos: [(id: OpaqueID, number: Int64)]
        repeat {
            videos = try db.rows(
                "SELECT id, number FROM communityVideo WHERE ownerID = ?1 ORDER BY publishedAt LIMIT ?2",
                [.text(member.text), SQLValue(Self.batchSize)]
            ) { row in (id: try row.value("id"), number: try row.value("number")) }
            for (id, number) in videos {
                if let video = try VideoRows.video(id, reader: nil, db) {
                    // What was unlisted does not become public because its owner leaves.
                    try remove(video, releases: false, at: now, db)
                } else {
                    try removeWithoutTitle(number, at: now, db)
                }
            }
        } while videos.count == Self.batchSize
    }

    /// Number of videos that are removed at once.
    static let batchSize = 100
}
