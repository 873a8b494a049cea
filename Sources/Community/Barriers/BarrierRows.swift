import Accounts
import Database
import MediaCore

/// The rows of whom members block and mute. Each function runs inside the transaction of its caller.
enum BarrierRows {
    static func set(
        _ kind: BarrierKind, _ isOn: Bool, _ other: UserID, by member: UserID, at now: WallClockTime,
        _ db: any SQLConnection
    ) throws {
        let arguments: [SQLValue] = [.text(member.text), .text(other.text), .text(kind.rawValue)]
        if isOn {
            try db.execute(
                """
                INSERT INTO memberBarrier(userID, otherID, kind, madeAt) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (userID, otherID, kind) DO NOTHING
                """, arguments + [.time(now)])
        } else {
            try db.execute("DELETE FROM memberBarrier WHERE userID = ?1 AND otherID = ?2 AND kind = ?3", arguments)
        }
    }

    static func count(_ kind: BarrierKind, of member: UserID, _ db: any SQLConnection) throws -> Int64 {
        try db.firstValue(
            "SELECT COUNT(*) FROM memberBarrier WHERE userID = ?1 AND kind = ?2", .text(member.text),
            .text(kind.rawValue)) ?? 0
    }

    static func isSet(
        _ kind: BarrierKind, _ other: UserID, by member: UserID, _ db: any SQLConnection
    ) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM memberBarrier WHERE userID = ?1 AND otherID = ?2 AND kind = ?3", .text(member.text),
            .text(other.text), .text(kind.rawValue))
    }

    /// - Parameter owner: the member whom it concerns; `nil` for the station, which blocks nobody.
    /// - Throws: `Refusal` with `forbidden` for somebody whom the member blocks.
    static func requireNotBlocked(_ actor: UserID, by owner: UserID?, _ db: any SQLConnection) throws {
        guard let owner, owner != actor, try isSet(.block, actor, by: owner, db) else { return }
        throw Refusal(.forbidden, "this member does not accept this from you")
    }

    /// The condition that a reader has nothing against somebody.
    ///
    /// - Parameters:
    ///   - reader: the parameter with the reader's account; may be empty.
    ///   - column: the column with the account of the other one; may be `NULL`.
    static func isNotMuted(by reader: String, _ column: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM memberBarrier AS barrier
            WHERE barrier.userID = \(reader) AND barrier.otherID = \(column))
        """
    }
}
