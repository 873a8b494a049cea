import Accounts
import Database
import MediaCore

/// The rows of publish links. Each function runs inside the transaction of its caller.
enum PublishLinkRows {
    private static let columns = MediaLinkSchema.publishLinks.columnList(without: "digest")

    /// - Throws: `Refusal` with `tooMany`.
    static func insert(_ link: PublishLink, _ secret: Secret, _ db: any SQLConnection) throws -> PublishLink {
        let count: Int64? = try db.firstValue(
            "SELECT count(*) FROM publishLink WHERE channel = ?1 AND expiresAt > ?2 AND revokedAt IS NULL",
            .text(link.channel), .time(link.createdAt))
        guard count ?? 0 < PublishLink.maximumCount else {
            throw Refusal(
                .tooMany, "a channel has at most \(PublishLink.maximumCount) links; revoke some, or wait until they end"
            )
        }
        var link = link
        link.number = try db.insertNumbered(
            [
                "id": .text(link.id.text), "digest": secret.digest.value, "channel": .text(link.channel),
                "name": .text(link.name), "createdAt": .time(link.createdAt), "expiresAt": .time(link.expiresAt),
            ], into: MediaLinkSchema.publishLinks)
        return link
    }

    /// Uses a link up for an address, in one statement: of two publishers at the same time one gets it, on whatever
    /// server.
    ///
    /// - Returns: `nil` if the link is unknown, of another channel, used by another address, revoked, or has expired.
    static func use(
        _ secret: Secret, channel: String, address: String, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> PublishLink? {
        try db.first(
            """
            UPDATE publishLink SET usedAt = COALESCE(usedAt, ?1), usedBy = COALESCE(usedBy, ?2)
            WHERE digest = ?3 AND channel = ?4 AND revokedAt IS NULL AND expiresAt > ?1
                AND (usedBy IS NULL OR usedBy = ?2)
            RETURNING \(columns)
            """, [.time(time), .text(address), secret.digest.value, .text(channel)]
        ) { row in try PublishLink(row) }
    }

    /// A page of a channel's links, newest first.
    ///
    /// - Throws: `Refusal` if the cursor was not made by a page of this list.
    static func page(
        of channel: String, after cursor: String?, size: Int, _ db: any SQLConnection
    ) throws -> ListPage<PublishLink> {
        let last = try cursor.map(ListCursor.number) ?? Int64.max
        let rows = try db.rows(
            "SELECT \(columns) FROM publishLink WHERE channel = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3",
            [.text(channel), .integer(last), SQLValue(size + 1)]
        ) { try PublishLink($0) }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// - Returns: the link as it is then; `nil` if the channel has none with that ID.
    static func revoke(
        _ id: OpaqueID, of channel: String, at time: WallClockTime, _ db: any SQLConnection
    ) throws -> PublishLink? {
        try db.first(
            """
            UPDATE publishLink SET revokedAt = COALESCE(revokedAt, ?1) WHERE id = ?2 AND channel = ?3
            RETURNING \(columns)
            """, [.time(time), .text(id.text), .text(channel)]
        ) { row in try PublishLink(row) }
    }

    static func delete(endedBefore time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM publishLink WHERE expiresAt < ?1", .time(time))
    }
}

extension PublishLink {
    fileprivate init(_ row: SQLRow) throws(SQLError) {
        self.init(
            number: try row.value("number"), id: try row.value("id"), channel: try row.value("channel"),
            name: try row.value("name"),
            createdAt: try row.time("createdAt"), expiresAt: try row.time("expiresAt"),
            usedAt: try row.optionalTime("usedAt"),
            usedBy: try row.optional("usedBy"), revokedAt: try row.optionalTime("revokedAt"))
    }
}
