import Database

/// Published migrations; see ``CommunityMigrations``.
enum VideoMigrations {
    private static let indexes: [(name: String, columns: String)] =
        [
            ("communityVideo_owner", "communityVideo(ownerID, publishedAt)"),
            ("communityVideo_competition", "communityVideo(competition) WHERE competition IS NOT NULL"),
            ("videoLike_video", "videoLike(video, number)"), ("videoLike_user", "videoLike(userID, number)"),
            ("videoComment_video", "videoComment(video, number) WHERE parent IS NULL"),
            ("videoComment_parent", "videoComment(parent, number) WHERE parent IS NOT NULL"),
            ("videoComment_author", "videoComment(authorID, writtenAt)"),
            ("memberFollow_follower", "memberFollow(follower, number)"),
            ("memberFollow_followed", "memberFollow(followed, number)"),
            ("moderatedItem_queue", "moderatedItem(reportedAt, subject) WHERE (reports > 0 OR appealedAt IS NOT NULL)"),
            ("moderatedItem_owner", "moderatedItem(ownerID, kind, subject)"),
            ("itemReport_item", "itemReport(kind, subject, number)"),
            ("itemReport_reporter", "itemReport(reporterID, reportedAt)"),
        ]
        + ["", "ownerID, ", "competition, ", "competition, day, "].flatMap { scope in
            let name = "videoCount_\(scope.split { !$0.isLetter }.joined(separator: "_"))"
            return [
                ("\(name)_newest", "videoCount(\(scope)video) WHERE isListed = 1"),
                ("\(name)_likes", "videoCount(\(scope)likes, video) WHERE isListed = 1"),
            ]
        }

    /// No two rows may have the same.
    private static let uniqueIndexes: [(name: String, columns: String)] = [
        ("videoLike_fact", "videoLike(video, userID)"), ("memberFollow_fact", "memberFollow(follower, followed)"),
        ("itemReport_fact", "itemReport(kind, subject, reporterID)"),
    ]

    static let migration = SQLMigration(
        2, "videos, likes, comments, follows, reports", oldestCompatibleVersion: 1
    ) { db in
        for definition in definitions(db.dialect) { try db.execute("CREATE TABLE \(definition)") }
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        for index in uniqueIndexes { try db.execute("CREATE UNIQUE INDEX \(index.name) ON \(index.columns)") }
        for statement in db.dialect.fullTextTable("communityVideoText") { try db.execute(statement) }
    }

    private static func definitions(_ dialect: SQLDialect) -> [String] {
        let (text, integer, real) = (dialect.name(of: .text), dialect.name(of: .integer), dialect.name(of: .real))
        let account = "\(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE"
        let video = "\(integer) NOT NULL REFERENCES communityVideo(number) ON DELETE CASCADE"
        return [
            // A video without an owner is the station's.
            """
            communityVideo(
                number \(dialect.identityColumn), id \(text) NOT NULL UNIQUE, titleNumber \(integer) NOT NULL UNIQUE,
                ownerID \(text) REFERENCES account(id) ON DELETE CASCADE, name \(text) NOT NULL, text \(text) NOT NULL,
                tags \(text) NOT NULL, competition \(integer) REFERENCES competition(number) ON DELETE SET NULL,
                day \(integer), visibility \(text) NOT NULL, commentPolicy \(text) NOT NULL, state \(text) NOT NULL,
                latitude \(real), longitude \(real), publishedAt \(integer) NOT NULL, changedAt \(integer) NOT NULL,
                revision \(integer) NOT NULL)
            """,
            """
            videoCount(
                video \(integer) PRIMARY KEY REFERENCES communityVideo(number) ON DELETE CASCADE,
                isListed \(integer) NOT NULL, ownerID \(text), competition \(integer), day \(integer),
                likes \(integer) NOT NULL CHECK (likes >= 0), comments \(integer) NOT NULL CHECK (comments >= 0),
                views \(integer) NOT NULL CHECK (views >= 0))
            """,
            """
            videoLike(
                number \(dialect.identityColumn), video \(video), userID \(account), likedAt \(integer) NOT NULL)
            """,
            """
            videoComment(
                number \(dialect.identityColumn), id \(text) NOT NULL UNIQUE, video \(video),
                parent \(integer) REFERENCES videoComment(number) ON DELETE CASCADE,
                authorID \(text) REFERENCES account(id) ON DELETE SET NULL, text \(text) NOT NULL,
                state \(text) NOT NULL, replies \(integer) NOT NULL CHECK (replies >= 0), writtenAt \(integer) NOT NULL,
                editedAt \(integer))
            """,
            """
            memberFollow(
                number \(dialect.identityColumn), follower \(account), followed \(account),
                followedAt \(integer) NOT NULL, CHECK (follower <> followed))
            """,
            """
            memberCount(
                userID \(text) PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
                videos \(integer) NOT NULL CHECK (videos >= 0), followers \(integer) NOT NULL CHECK (followers >= 0),
                followings \(integer) NOT NULL CHECK (followings >= 0))
            """,
            """
            moderatedItem(
                kind \(text) NOT NULL, subject \(text) NOT NULL, ownerID \(text),
                reports \(integer) NOT NULL CHECK (reports >= 0), crossings \(integer) NOT NULL,
                reportedAt \(integer) NOT NULL, claimedBy \(text), claimedUntil \(integer), decision \(text),
                decisionNote \(text), decidedAt \(integer), appeal \(text), appealedAt \(integer),
                PRIMARY KEY (kind, subject))
            """,
            """
            itemReport(
                number \(dialect.identityColumn), kind \(text) NOT NULL, subject \(text) NOT NULL,
                reporterID \(account), reason \(text) NOT NULL, text \(text) NOT NULL, reportedAt \(integer) NOT NULL,
                decidedAt \(integer))
            """,
        ]
    }
}
