import Accounts
import Database
import MediaCore

/// The rows of links. Each function runs inside the transaction of its caller.
enum MediaLinkRows {
    private static let columns = MediaLinkSchema.links.columnList(without: "createdBy")

    /// - Throws: `Refusal` with `tooMany`.
    static func insert(_ link: MediaLink, by user: UserID?, _ db: any SQLConnection) throws -> MediaLink {
        // Counts no more than it has to.
        let count: Int64? = try db.firstValue(
            """
            SELECT count(*) FROM
                (SELECT 1 FROM mediaLink WHERE expiresAt > ?1 AND revokedAt IS NULL LIMIT ?2) AS valid
            """, .time(link.createdAt), SQLValue(MediaLink.maximumCount))
        guard count ?? 0 < MediaLink.maximumCount else {
            throw Refusal(
                .tooMany,
                "the server keeps \(MediaLink.maximumCount) links at most; revoke some, or wait until they end")
        }
        var link = link
        link.number = try db.insertNumbered(
            [
                "id": .text(link.id.text), "name": .text(link.name), "folder": .text(link.folder),
                "target": .text(link.target), "createdBy": SQLValue(user?.text), "createdAt": .time(link.createdAt),
                "expiresAt": .time(link.expiresAt),
            ], into: MediaLinkSchema.links)
        return link
    }

    /// A page, newest first, with links that have ended.
    ///
    /// - Throws: `Refusal` if the cursor was not made by a page of this list.
    static func page(after cursor: String?, size: Int, _ db: any SQLConnection) throws -> ListPage<MediaLink> {
        let last = try cursor.map(ListCursor.number) ?? Int64.max
        let rows = try db.rows(
            "SELECT \(columns) FROM mediaLink WHERE number < ?1 ORDER BY number DESC LIMIT ?2",
            [.integer(last), SQLValue(size + 1)]
        ) { try MediaLink($0) }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// - Returns: the link as it is then; `nil` if there is none.
    static func revoke(_ id: OpaqueID, at time: WallClockTime, _ db: any SQLConnection) throws -> MediaLink? {
        try db.first(
            "UPDATE mediaLink SET revokedAt = COALESCE(revokedAt, ?1) WHERE id = ?2 RETURNING \(columns)",
            [.time(time), .text(id.text)]
        ) { row in try MediaLink(row) }
    }

    /// The links that were revoked and would not have expired.
    static func revoked(at time: WallClockTime, _ db: any SQLConnection) throws -> Set<String> {
        Set(
            try db.rows(
                "SELECT id FROM mediaLink WHERE revokedAt IS NOT NULL AND expiresAt > ?1", [.time(time)]
            ) { row in try row.value(0) as String })
    }

    static func delete(endedBefore time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM mediaLink WHERE expiresAt < ?1", .time(time))
    }
}

extension MediaLink {
    fileprivate init(_ row: SQLRow) throws(SQLError) {
        self.init(
            number: try row.value("number"), id: try row.value("id"), name: try row.value("name"),
            folder: try row.value("folder"),
            target: try row.value("target"), createdAt: try row.time("createdAt"), expiresAt: try row.time("expiresAt"),
            revokedAt: try row.optionalTime("revokedAt"))
    }
}
