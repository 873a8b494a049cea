import Database

/// The tables of published videos and of what members do with them. A video is named by its row number in all other
/// tables; everything about it goes with it.
enum VideoSchema {
    static let videos = SQLTable(
        "communityVideo",
        [
            .init("number", .integer), .init("id", .text), .init("titleNumber", .integer), .init("ownerID", .text),
            .init("name", .text), .init("text", .text), .init("tags", .text), .init("competition", .integer),
            .init("day", .integer), .init("visibility", .text), .init("commentPolicy", .text), .init("state", .text),
            .init("latitude", .real), .init("longitude", .real), .init("publishedAt", .integer),
            .init("changedAt", .integer), .init("revision", .integer),
        ], key: ["number"], isNumbered: true)
    /// The counters of videos, with what lists are ordered and filtered by.
    static let counts = SQLTable(
        "videoCount",
        [
            .init("video", .integer), .init("isListed", .integer), .init("ownerID", .text),
            .init("competition", .integer), .init("day", .integer), .init("likes", .integer),
            .init("comments", .integer), .init("views", .integer),
        ], key: ["video"])
    static let likes = SQLTable(
        "videoLike",
        [.init("number", .integer), .init("video", .integer), .init("userID", .text), .init("likedAt", .integer)],
        key: ["number"], isNumbered: true)
    static let comments = SQLTable(
        "videoComment",
        [
            .init("number", .integer), .init("id", .text), .init("video", .integer), .init("parent", .integer),
            .init("authorID", .text), .init("text", .text), .init("state", .text), .init("replies", .integer),
            .init("writtenAt", .integer), .init("editedAt", .integer),
        ], key: ["number"], isNumbered: true)
    static let follows = SQLTable(
        "memberFollow",
        [
            .init("number", .integer), .init("follower", .text), .init("followed", .text),
            .init("followedAt", .integer),
        ], key: ["number"], isNumbered: true)
    static let memberCounts = SQLTable(
        "memberCount",
        [
            .init("userID", .text), .init("videos", .integer), .init("followers", .integer),
            .init("followings", .integer),
        ], key: ["userID"])
    static let items = SQLTable(
        "moderatedItem",
        [
            .init("kind", .text), .init("subject", .text), .init("ownerID", .text), .init("reports", .integer),
            .init("crossings", .integer), .init("reportedAt", .integer), .init("claimedBy", .text),
            .init("claimedUntil", .integer), .init("decision", .text), .init("decisionNote", .text),
            .init("decidedAt", .integer), .init("appeal", .text), .init("appealedAt", .integer),
        ], key: ["kind", "subject"])
    static let reports = SQLTable(
        "itemReport",
        [
            .init("number", .integer), .init("kind", .text), .init("subject", .text), .init("reporterID", .text),
            .init("reason", .text), .init("text", .text), .init("reportedAt", .integer), .init("decidedAt", .integer),
            // Since migration 4.
            .init("weight", .integer),
        ], key: ["number"], isNumbered: true)

    /// The words of videos, for search.
    static let textTable = "communityVideoText"

    static let tables = [videos, counts, likes, comments, follows, memberCounts, items, reports]

    /// Whether moderators have something to decide about an item.
    static let waiting = "(reports > 0 OR appealedAt IS NOT NULL)"

    static let indexes: [(name: String, columns: String)] =
        [
            ("communityVideo_owner", "communityVideo(ownerID, publishedAt)"),
            ("communityVideo_competition", "communityVideo(competition) WHERE competition IS NOT NULL"),
            ("videoLike_video", "videoLike(video, number)"), ("videoLike_user", "videoLike(userID, number)"),
            ("videoComment_video", "videoComment(video, number) WHERE parent IS NULL"),
            ("videoComment_parent", "videoComment(parent, number) WHERE parent IS NOT NULL"),
            ("videoComment_author", "videoComment(authorID, writtenAt)"),
            ("memberFollow_follower", "memberFollow(follower, number)"),
            ("memberFollow_followed", "memberFollow(followed, number)"),
            ("moderatedItem_queue", "moderatedItem(reportedAt, subject) WHERE \(waiting)"),
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
    static let uniqueIndexes: [(name: String, columns: String)] = [
        ("videoLike_fact", "videoLike(video, userID)"), ("memberFollow_fact", "memberFollow(follower, followed)"),
        ("itemReport_fact", "itemReport(kind, subject, reporterID)"),
    ]

    static let migration = SQLMigration(
        2, "videos, likes, comments, follows, reports", oldestCompatibleVersion: 1
    ) { db in
        for definition in definitions(db.dialect) { try db.execute("CREATE TABLE \(definition)") }
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        for index in uniqueIndexes { try db.execute("CREATE UNIQUE INDEX \(index.name) ON \(index.columns)") }
        for statement in db.dialect.fullTextTable(textTable) { try db.execute(statement) }
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
