import Accounts
import Database
import Forum
import MediaCore

/// Looks up what notifications are about, as it is now. Runs inside the transaction of its caller.
enum ItemRows {
    /// The items of deeds by their numbers, without what the reader may not see any more.
    static func items(
        _ deeds: [Int64], reader: UserID, _ db: any SQLConnection
    ) throws -> [Int64: NotificationItem] {
        guard !deeds.isEmpty else { return [:] }
        let actor = JoinedAccount(as: "actor")
        let rows = try db.rows(
            """
            SELECT d.number, d.kind, \(actor.username) AS actorName, d.happenedAt, v.id AS videoID, v.name AS videoName,
                v.ownerID, v.visibility, v.state AS videoState, competition.id AS competitionID,
                competition.name AS competitionName, v.day, d.comment, k.state AS commentState, d.subject, d.detail,
                \(ForumDeedTables.columns)
            FROM notificationDeed AS d \(actor.leftJoin("d.actorID"))
            LEFT JOIN communityVideo AS v ON v.id = d.video LEFT JOIN videoComment AS k ON k.id = d.comment
            LEFT JOIN competition ON competition.number = v.competition
            \(ForumDeedTables.joins(topic: "d.subject", comment: "d.comment"))
            WHERE d.number IN (\(SQLParameters.list(deeds.count)))
            """, deeds.map(SQLValue.integer)
        ) { row in (try row.value("number") as Int64, try item(row, reader)) }
        var items: [Int64: NotificationItem] = [:]
        for case (let number, let item?) in rows { items[number] = item }
        return items
    }

    private static func item(_ row: SQLRow, _ reader: UserID) throws -> NotificationItem? {
        guard let kind = Deed.Kind(rawValue: try row.value("kind")) else { return nil }
        let owner: UserID? = try row.optional("ownerID")
        let (visibility, state): (String?, String?) = (try row.optional("visibility"), try row.optional("videoState"))
        let isShown = state == "shown" && (visibility == "public" || [.comment, .decision, .report].contains(kind))
        var item = NotificationItem(actor: try row.optional("actorName"), happenedAt: try row.time("happenedAt"))
        if isShown || owner == reader, let id: OpaqueID = try row.optional("videoID") {
            item.video = NotificationItem.Video(
                id: id, name: try row.value("videoName"), competition: try row.optional("competitionID"),
                competitionName: try row.optional("competitionName"), day: try row.optional("day"))
        }
        switch kind {
        case .video, .like: return item.video == nil ? nil : item
        case .comment:
            guard item.video != nil, (try row.optional("commentState") as String?) == "shown" else { return nil }
            item.comment = try row.optional("comment")
        case .topic, .topicComment:
            item.topic = try topic(row, isComment: kind == .topicComment)
            return item.topic == nil ? nil : item
        case .follow: return item.actor == nil ? nil : item
        case .decision: item.decision = try row.optional("detail")
        case .channelLive:
            item.channel = try row.optional("subject")
            item.name = try row.optional("detail") ?? item.channel
        case .report:
            item.reported = try row.optional("detail")
            // A profile has no video; what was about one is gone with it.
            guard item.video != nil || ["profile", "topicComment"].contains(item.reported) else { return nil }
            item.comment = try row.optional("comment")
        case .reportWaiting: (item.video, item.reported) = (nil, try row.optional("detail"))
        case .supportMessage: break
        case .contactInvitation, .contactAdded, .contactRefused:
            guard item.actor != nil else { return nil }
            item.invitation = try row.optional("subject")
        case .removal: return nil
        case .uploadReady, .uploadFailed:
            (item.upload, item.name) = (try row.optional("subject"), try row.optional("detail"))
        case .rentalEnding: (item.title, item.name) = (try row.optional("subject"), try row.optional("detail"))
        }
        return item
    }

    /// - Returns: `nil` for a topic or comment that is not shown any more.
    private static func topic(_ row: SQLRow, isComment: Bool) throws -> NotificationItem.Topic? {
        guard let title = try ForumDeedTables.title(row, isComment: isComment),
            let id: OpaqueID = try row.optional("subject")
        else { return nil }
        return NotificationItem.Topic(id: id, title: title, comment: isComment ? try row.optional("comment") : nil)
    }
}
