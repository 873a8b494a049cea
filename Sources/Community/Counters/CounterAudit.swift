import Database

/// Compares all counters with the rows that they count.
enum CounterAudit {
    private struct Counter {
        var name: String
        /// A statement of subjects, stored numbers and recounted numbers.
        var sql: String
    }

    /// Limit of the differences that are found for each counter.
    private static let maximumCount = 100

    private static let counters: [Counter] = [
        counter("videoCount", "likes", "video", "SELECT COUNT(*) FROM videoLike AS fact WHERE fact.video = held.video"),
        counter(
            "videoCount", "comments", "video",
            "SELECT COUNT(*) FROM videoComment AS fact WHERE fact.video = held.video AND fact.state = 'shown'"),
        counter(
            "videoCount", "isListed", "video",
            """
            SELECT COUNT(*) FROM communityVideo AS fact
            WHERE fact.number = held.video AND fact.visibility = 'public' AND fact.state = 'shown'
            """),
        copy("competition"), copy("day"),
        counter(
            "videoComment", "replies", "number",
            "SELECT COUNT(*) FROM videoComment AS fact WHERE fact.parent = held.number AND fact.state = 'shown'"),
        counter(
            "memberCount", "videos", "userID",
            "SELECT COUNT(*) FROM videoCount AS fact WHERE fact.ownerID = held.userID AND fact.isListed = 1"),
        counter(
            "memberCount", "followers", "userID",
            "SELECT COUNT(*) FROM memberFollow AS fact WHERE fact.followed = held.userID"),
        counter(
            "memberCount", "followings", "userID",
            "SELECT COUNT(*) FROM memberFollow AS fact WHERE fact.follower = held.userID"),
        counter(
            "moderatedItem", "reports", "subject",
            """
            SELECT COUNT(*) FROM itemReport AS fact
            WHERE fact.kind = held.kind AND fact.subject = held.subject AND fact.decidedAt IS NULL
            """),
    ]

    /// The copy of a column that lists are filtered by; 0 for none.
    private static func copy(_ column: String) -> Counter {
        counter(
            "videoCount", column, "video",
            "SELECT COALESCE(fact.\(column), 0) FROM communityVideo AS fact WHERE fact.number = held.video",
            stored: "COALESCE(held.\(column), 0)")
    }

    private static func counter(
        _ table: String, _ column: String, _ subject: String, _ recount: String, stored: String? = nil
    ) -> Counter {
        Counter(
            name: "\(table).\(column)",
            sql: """
                SELECT subject, stored, recounted FROM (
                    SELECT CAST(held.\(subject) AS TEXT) AS subject, \(stored ?? "held.\(column)") AS stored,
                        (\(recount)) AS recounted
                    FROM \(table) AS held) AS compared
                WHERE stored <> recounted LIMIT \(maximumCount)
                """)
    }

    static func differences(_ db: any SQLConnection) throws -> [CounterDifference] {
        try counters.flatMap { counter in
            try db.rows(counter.sql) { row in
                CounterDifference(
                    counter: counter.name, subject: try row.value("subject"), stored: try row.value("stored"),
                    recounted: try row.value("recounted"))
            }
        }
    }
}
