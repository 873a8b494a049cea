import Accounts
import Catalogue
import Database

/// The statement of a page of activities, newest first. Videos that the member would not find are left out,
/// except the member's own.
struct ActivityQuery {
    private(set) var arguments: [SQLValue] = []
    private(set) var sql = ""

    /// - Parameters:
    ///   - list: which list.
    ///   - member: whose list.
    ///   - visible: which titles the member may be shown; `nil` for all.
    ///   - number: the number of the last row of the page before; the highest number for the first page.
    ///   - limit: number of rows.
    ///   - isSparse: see `ActivityRows.isSparse`.
    init(
        _ list: ActivityList, of member: UserID, visible: RecordVisibility?, before number: Int64, limit: Int,
        isSparse: Bool
    ) {
        let reader = parameter(.text(member.text))
        let before = parameter(.integer(number))
        let (title, account) = (JoinedTitle(), ProfileRows.account)
        var found = "c.isListed = 1 AND \(title.isReady)"
        if let visible { found += " AND \(visible.condition(title.name) { parameter($0) })" }
        switch list {
        case .news:
            sql = """
                SELECT a.number, a.kind, \(account.username), v.id AS videoID, v.name AS videoName, k.id AS commentID, k.text,
                    a.happenedAt
                FROM memberActivity AS a \(account.join("a.actorID"))
                LEFT JOIN communityVideo AS v ON v.number = a.video LEFT JOIN videoCount AS c ON c.video = a.video
                \(title.leftJoin("v.titleNumber")) LEFT JOIN videoComment AS k ON k.number = a.comment
                WHERE a.ownerID = \(reader) AND a.number < \(before) AND \(ProfileRows.isShown)
                    AND \(BarrierRows.isNotMuted(by: reader, "a.actorID")) AND (a.comment IS NULL OR k.state = 'shown')
                    AND (a.video IS NULL OR v.ownerID = \(reader) OR (\(found)))
                ORDER BY a.number DESC
                """
        case .followed, .own:
            let followed = "SELECT followed FROM memberFollow WHERE follower = \(reader)"
            let condition =
                list == .own
                ? "l.userID = \(reader)"
                : """
                \(isSparse ? "l.userID IN (\(followed))" : "EXISTS (\(followed) AND followed = l.userID)")
                    AND \(ProfileRows.isShown) AND \(BarrierRows.isNotMuted(by: reader, "l.userID"))
                    AND NOT EXISTS (SELECT 1 FROM memberProfile AS profile
                        WHERE profile.userID = l.userID AND profile.showsLikes = 0)
                """
            // In this order, so that the likes are walked and their videos are looked up.
            sql = """
                SELECT l.number, '\(ActivityKind.like.rawValue)' AS kind, \(account.username), v.id AS videoID,
                    v.name AS videoName, NULL AS commentID, NULL AS text, l.likedAt AS happenedAt
                FROM videoLike AS l CROSS JOIN \(account.table) CROSS JOIN communityVideo AS v
                CROSS JOIN videoCount AS c CROSS JOIN \(title.table)
                WHERE \(account.condition("l.userID")) AND v.number = l.video AND c.video = l.video
                    AND \(title.condition("v.titleNumber")) AND l.number < \(before) AND \(condition)
                    AND (v.ownerID = \(reader) OR (\(found)))
                ORDER BY l.number DESC
                """
        }
        sql += " LIMIT \(parameter(SQLValue(limit)))"
    }

    private mutating func parameter(_ value: SQLValue) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }
}
