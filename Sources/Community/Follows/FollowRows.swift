import Accounts
import Database
import MediaCore

/// The rows of who follows whom. Each function runs inside the transaction of its caller.
enum FollowRows {
    /// - Returns: whether something has changed.
    static func set(
        _ isFollowed: Bool, _ followed: UserID, by follower: UserID, at now: WallClockTime, _ db: any SQLConnection
    ) throws -> Bool {
        let count =
            isFollowed
            ? try db.insert(
                [
                    "follower": .text(follower.text), "followed": .text(followed.text), "followedAt": .time(now),
                ], into: VideoSchema.follows, "ON CONFLICT (follower, followed) DO NOTHING")
            : try db.execute(
                "DELETE FROM memberFollow WHERE follower = ?1 AND followed = ?2", .text(follower.text),
                .text(followed.text))
        guard count > 0 else { return false }
        if isFollowed {
            try ActivityRows.add(.follower, to: followed, by: follower, at: now, db)
        } else {
            try ActivityRows.removeFollow(of: followed, by: follower, db)
        }
        let amount: Int64 = isFollowed ? 1 : -1
        // Always in the order of the accounts, so that two who follow each other do not wait for each other.
        let changes = [(follower, MemberCountRows.Counter.followings), (followed, .followers)]
        for (member, counter) in changes.sorted(by: { $0.0.text < $1.0.text }) {
            try MemberCountRows.add(amount, counter, of: member, db)
        }
        return true
    }

    static func profile(_ member: UserID, reader: UserID?, _ db: any SQLConnection) throws -> MemberProfile? {
        let account = ProfileRows.account
        return try db.first(
            """
            SELECT \(account.username), COALESCE(videos, 0) AS videos, COALESCE(followers, 0) AS followers,
                COALESCE(followings, 0) AS followings,
                CASE WHEN EXISTS (SELECT 1 FROM memberFollow WHERE follower = ?2 AND followed = \(account.id))
                    THEN 1 ELSE 0 END AS isFollowed,
                about, visibility, COALESCE(showsFollows, 1) AS showsFollows, COALESCE(profile.state, '') AS state,
                CASE WHEN EXISTS (SELECT 1 FROM memberBarrier WHERE userID = ?2 AND otherID = \(account.id)
                    AND kind = 'block') THEN 1 ELSE 0 END AS isBlocked,
                CASE WHEN EXISTS (SELECT 1 FROM memberBarrier WHERE userID = ?2 AND otherID = \(account.id)
                    AND kind = 'mute') THEN 1 ELSE 0 END AS isMuted, \(account.photo)
            FROM \(account.table) LEFT JOIN memberCount ON memberCount.userID = \(account.id)
            LEFT JOIN memberProfile AS profile ON profile.userID = \(account.id) WHERE \(account.id) = ?1
            """, [.text(member.text), .text(reader?.text ?? "")]
        ) { row in
            let visibility: String? = try row.optional("visibility")
            return MemberProfile(
                id: member, username: try row.value("username"), videos: try row.value("videos"),
                followers: try row.value("followers"),
                followings: try row.value("followings"),
                isFollowed: reader == nil || reader == member ? nil : try row.flag("isFollowed"),
                about: try row.optional("about") ?? "",
                // What a later version has written is the strictest for this one.
                visibility: visibility.map { OwnProfile.Visibility(rawValue: $0) ?? .members } ?? .everybody,
                showsFollows: try row.flag("showsFollows"),
                state: (try row.value("state") as String) == ProfileState.hidden.rawValue ? .hidden : .shown,
                isBlocked: try row.flag("isBlocked"), isMuted: try row.flag("isMuted"), photo: try row.optional("photo")
            )
        }
    }

    static func followingCount(of member: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT followings FROM memberCount WHERE userID = ?1", .text(member.text)) ?? 0
    }

    /// Takes somebody who leaves out of the counters of others.
    static func forget(_ member: UserID, _ db: any SQLConnection) throws {
        for (counter, other, own) in [("followers", "followed", "follower"), ("followings", "follower", "followed")] {
            try db.execute(
                """
                UPDATE memberCount SET \(counter) = \(counter) - 1
                WHERE userID IN (SELECT \(other) FROM memberFollow WHERE \(own) = ?1)
                """, .text(member.text))
            try db.execute("DELETE FROM memberFollow WHERE \(own) = ?1", .text(member.text))
        }
    }
}
