import Database

/// The grants of accounts on single channels.
enum MemberRows {
    /// The grants of an account, by channel.
    static func channelGrants(_ id: UserID, _ db: any SQLConnection) throws -> [String: ActionSet] {
        let rows = try db.rows(
            "SELECT channel, actions FROM channelGrant WHERE userID = ?1 ORDER BY channel", [.text(id.text)]
        ) { row in (try row.value("channel") as String, try row.actions("actions")) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Sets the actions that an account may carry out on a channel beyond its role; none removes the grant.
    static func grant(
        _ actions: ActionSet, on channel: String, to id: UserID, _ db: any SQLConnection
    ) throws {
        if actions.isEmpty {
            try db.execute(
                "DELETE FROM channelGrant WHERE userID = ?1 AND channel = ?2", .text(id.text), .text(channel))
        } else {
            try db.execute(
                AccountsSchema.channelGrants.upsert, .text(id.text), .text(channel), .text(actions.description))
        }
    }
}
