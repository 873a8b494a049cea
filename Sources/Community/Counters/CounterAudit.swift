import Database

/// Compares all counters with the rows that they count.
enum CounterAudit {
    fileprivate struct Counter {
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

    private static func counter(_ table: String, _ column: String, _ subject: String, _ recount: String) -> Counter {
        Counter(
            name: "\(table).\(column)",
            sql: """
                SELECT subject, stored, recounted FROM (
                    SELECT held.\(subject) AS subject, held.\(column) AS stored, (\(recount)) AS recounted
                    FROM \(table) AS held) AS compared
                WHERE stored <> recounted LIMIT \(maximumCount)
                """)
    }

    static func differences(_ db: any SQLConnection) throws -> [CounterDifference] {
        try counters.flatMap { counter in
            try db.rows(counter.sql) { row in
                let subject = row.any(0, as: counter.hasNumber ? .integer : .text)
                let text =
                    switch subject {
                    case .integer(let number): String(number)
                    case .text(let text): text
                    default: ""
                    }
                return CounterDifference(
                    counter: counter.name, subject: text, stored: try row.value(1), recounted: try row.value(2))
            }
        }
    }
}

extension CounterAudit.Counter {
    /// Whether what it belongs to is a row number.
    fileprivate var hasNumber: Bool { name.hasPrefix("video") }
}
