package import Database
package import MediaCore

/// Questions about accounts inside the transactions of other domains. Each function runs inside the transaction of its
/// caller.
package enum AccountReferences {
    /// Whether there is an account, in any state.
    package static func exists(_ user: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE id = ?1", .text(user.text))
    }

    /// Whether an account can be used at a time.
    package static func isUsable(_ user: UserID, at time: WallClockTime, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM account WHERE id = ?1 AND \(AccountState.usableCondition("account", at: "?2"))",
            .text(user.text), .time(time))
    }

    /// Whether an account was made at a time or before it.
    package static func isOld(_ user: UserID, before time: WallClockTime, _ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE id = ?1 AND createdAt <= ?2", .text(user.text), .time(time))
    }

    /// Has others who lock the account wait until the end of the transaction. SQLite has one writer anyway.
    package static func lock(_ user: UserID, _ db: any SQLConnection) throws {
        guard !db.dialect.rowLock.isEmpty else { return }
        _ = try db.exists("SELECT 1 FROM account WHERE id = ?1\(db.dialect.rowLock)", .text(user.text))
    }

    /// The active account with a username; `nil` if there is none.
    package static func active(named name: String, _ db: any SQLConnection) throws -> UserID? {
        try db.firstValue(
            "SELECT id FROM account WHERE usernameKey = ?1 AND state = ?2", .caseless(name),
            .text(AccountState.active.rawValue))
    }

    /// The active account with a confirmed e-mail address; `nil` if there is none.
    package static func active(withEmail email: String, _ db: any SQLConnection) throws -> UserID? {
        try db.firstValue(
            "SELECT id FROM account WHERE emailKey = ?1 AND state = ?2 AND emailConfirmedAt IS NOT NULL",
            .caseless(email), .text(AccountState.active.rawValue))
    }

    /// The telephone number of an active account, as its owner has written it; `nil` without one.
    package static func mobile(of user: UserID, _ db: any SQLConnection) throws -> String? {
        try db.firstValue(
            "SELECT mobile FROM account WHERE id = ?1 AND state = ?2", .text(user.text),
            .text(AccountState.active.rawValue))
    }

    /// The name of an account, and the version of its photo; `nil` if there is no such account.
    package static func name(
        of user: UserID, _ db: any SQLConnection
    ) throws -> (username: String, photo: String?)? {
        try db.first("SELECT username, photo FROM account WHERE id = ?1", [.text(user.text)]) { row in
            (username: try row.value("username"), photo: try row.optional("photo"))
        }
    }

    /// The name and the address of a member who gets mail.
    package struct MailReceiver: Sendable {
        package var username: String
        package var email: String
        /// The language that the member has chosen, such as `es`; `nil` if none.
        package var language: String?
    }

    /// The address of a member whose account is active; `nil` if none is confirmed.
    package static func mailReceiver(_ user: UserID, _ db: any SQLConnection) throws -> MailReceiver? {
        try db.first(
            """
            SELECT username, email, language FROM account
            WHERE id = ?1 AND state = ?2 AND emailConfirmedAt IS NOT NULL
            """, [.text(user.text), .text(AccountState.active.rawValue)]
        ) { row in
            MailReceiver(
                username: try row.value("username"), email: try row.value("email"),
                language: try row.optional("language"))
        }
    }
}
