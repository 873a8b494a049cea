import Database

/// Published migrations; see ``CommunityMigrations``.
enum MemberMigrations {
    private static let indexes: [(name: String, columns: String)] = [
        ("memberActivity_owner", "memberActivity(ownerID, number)"),
        ("memberActivity_actor", "memberActivity(actorID, kind, video)"),
        ("memberActivity_video", "memberActivity(video) WHERE video IS NOT NULL"),
        ("memberActivity_comment", "memberActivity(comment) WHERE comment IS NOT NULL"),
    ]

    static let migration = SQLMigration(
        3, "profiles and activities of members", oldestCompatibleVersion: 1
    ) { db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        let account = "\(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE"
        try db.execute(
            """
            CREATE TABLE memberProfile(
                userID \(text) PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE, about \(text) NOT NULL,
                visibility \(text) NOT NULL, showsFollows \(integer) NOT NULL, showsLikes \(integer) NOT NULL,
                state \(text) NOT NULL)
            """)
        try db.execute(
            """
            CREATE TABLE memberActivity(
                number \(db.dialect.identityColumn), ownerID \(account), actorID \(account), kind \(text) NOT NULL,
                video \(integer) REFERENCES communityVideo(number) ON DELETE CASCADE,
                comment \(integer) REFERENCES videoComment(number) ON DELETE CASCADE, happenedAt \(integer) NOT NULL)
            """)
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        try db.execute(earlierActivities(integer))
        // Before, the videos of a competition that was deleted kept its day.
        try db.execute(
            "UPDATE communityVideo SET day = NULL WHERE competition IS NULL AND day IS NOT NULL")
        try db.execute(
            """
            UPDATE videoCount SET competition = NULL, day = NULL WHERE competition IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM competition WHERE competition.number = videoCount.competition)
            """)
    }

    /// The activities from before the table.
    private static func earlierActivities(_ integer: String) -> String {
        """
        INSERT INTO memberActivity(ownerID, actorID, kind, video, comment, happenedAt)
        SELECT ownerID, actorID, kind, video, comment, happenedAt FROM (
            SELECT followed AS ownerID, follower AS actorID, 'follower' AS kind, CAST(NULL AS \(integer)) AS video,
                CAST(NULL AS \(integer)) AS comment, followedAt AS happenedAt FROM memberFollow
            UNION ALL SELECT v.ownerID, l.userID, 'like', v.number, NULL, l.likedAt
            FROM videoLike AS l JOIN communityVideo AS v ON v.number = l.video WHERE v.ownerID <> l.userID
            UNION ALL SELECT v.ownerID, k.authorID, 'comment', v.number, k.number, k.writtenAt
            FROM videoComment AS k JOIN communityVideo AS v ON v.number = k.video WHERE v.ownerID <> k.authorID
            UNION ALL SELECT parent.authorID, k.authorID, 'reply', k.video, k.number, k.writtenAt
            FROM videoComment AS k JOIN videoComment AS parent ON parent.number = k.parent
            JOIN communityVideo AS v ON v.number = k.video
            WHERE parent.authorID <> k.authorID AND (v.ownerID IS NULL OR v.ownerID <> parent.authorID)) AS earlier
        ORDER BY happenedAt
        """
    }
}
