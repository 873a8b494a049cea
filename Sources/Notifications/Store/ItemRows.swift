import Accounts
import Database
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
            SELECT d.number, d.kind, \(actor.username), d.happenedAt, v.id, v.name, v.ownerID, v.visibility, v.state,
                competition.id, competition.name, v.day, d.comment, k.state, d.subject, d.detail
            FROM notificationDeed AS d \(actor.leftJoin("d.actorID"))
            LEFT JOIN communityVideo AS v ON v.id = d.video LEFT JOIN videoComment AS k ON k.id = d.comment
            LEFT JOIN competition ON competition.number = v.competition
            WHERE d.number IN (\(SQLParameters.list(deeds.count)))
            """, deeds.map(SQLValue.integer)
        ) { row in (try row.value(0) as Int64, try item(row, reader)) }
        var items: [Int64: NotificationItem] = [:]
        for case (let number, let item?) in rows { items[number] = item }
        return items
    }

    private static func item(_ row: SQLRow, _ reader: UserID) throws -> NotificationItem? {
        guard let kind = Deed.Kind(rawValue: try row.value(1)) else { return nil }
        let owner: UserID? = try row.optional(6)
        let (visibility, state): (String?, String?) = (try row.optional(7), try row.optional(8))
        let isShown = state == "shown" && (visibility == "public" || [.comment, .decision, .report].contains(kind))
        var item = NotificationItem(actor: try row.optional(2), happenedAt: try row.time(3))
        if isShown || owner == reader, let id: OpaqueID = try row.optional(4) {
            item.video = NotificationItem.Video(
                id: id, name: try row.value(5), competition: try row.optional(9),
                competitionName: try row.optional(10), day: try row.optional(11))
        }
        switch kind {
        case .video, .like: return item.video == nil ? nil : item
        case .comment:
            guard item.video != nil, (try row.optional(13) as String?) == "shown" else { return nil }
            item.comment = try row.optional(12)
        case .follow: return item.actor == nil ? nil : item
        case .decision: item.decision = try row.optional(15)
        case .channelLive:
            item.channel = try row.optional(14)
            item.name = try row.optional(15) ?? item.channel
        case .report:
            item.reported = try row.optional(15)
            // A profile has no video; what was about one is gone with it.
            guard item.video != nil || item.reported == "profile" else { return nil }
            item.comment = try row.optional(12)
        case .reportWaiting: (item.video, item.reported) = (nil, try row.optional(15))
        case .supportMessage: break
        case .removal: return nil
        case .uploadReady, .uploadFailed: (item.upload, item.name) = (try row.optional(14), try row.optional(15))
        case .rentalEnding: (item.title, item.name) = (try row.optional(14), try row.optional(15))
        }
        return item
    }
}
