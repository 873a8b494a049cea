import Database
import MediaCore

/// The rows of accounts. Each function runs inside the transaction of its caller.
enum AccountRows {
    private static let columns =
        AccountsSchema.accounts.columnList(without: "usernameKey", "emailKey", "passwordHash", "passwordChangedAt")
        + ", passwordHash IS NOT NULL AS hasPassword"

    // MARK: Reading

    static func account(_ id: UserID, _ db: any SQLConnection) throws -> Account? {
        try db.first("SELECT \(columns) FROM account WHERE id = ?1", [.text(id.text)]) { try Account($0) }
    }

    static func account(_ name: LogInName, _ db: any SQLConnection) throws -> Account? {
        try db.first("SELECT \(columns) FROM account WHERE \(name.column) = ?1", [.text(name.key)]) {
            try Account($0)
        }
    }

    /// - Throws: `Refusal` with `notFound`.
    static func required(_ id: UserID, _ db: any SQLConnection) throws -> Account {
        guard let account = try account(id, db) else {
            throw Refusal(.notFound, "there is no such account")
        }
        return account
    }

    /// A page in the order of usernames.
    static func page(
        _ filter: AccountFilter, after cursor: String?, size: Int, _ db: any SQLConnection
    ) throws -> ListPage<Account> {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        func require(_ condition: (Int) -> String, _ value: SQLValue) {
            arguments.append(value)
            conditions.append(condition(arguments.count))
        }
        if let state = filter.state { require({ "state = ?\($0)" }, .text(state.rawValue)) }
        if let role = filter.role { require({ "role = ?\($0)" }, .text(role.rawValue)) }
        if let prefix = filter.prefix.map({ CaselessKey($0).text }), !prefix.isEmpty {
            require({ "usernameKey >= ?\($0)" }, .text(prefix))
            require({ "usernameKey < ?\($0)" }, .text(prefix + "\u{10FFFF}"))
        }
        if let cursor {
            let key = try NameCursor.key(parsing: cursor)
            require({ "usernameKey > ?\($0)" }, .text(key))
        }
        arguments.append(SQLValue(size + 1))
        let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        let rows = try db.rows(
            "SELECT \(columns) FROM account\(condition) ORDER BY usernameKey LIMIT ?\(arguments.count)", arguments
        ) { try Account($0) }
        return ListPage(rows, size: size) { NameCursor.text($0.username) }
    }

    /// The data for a log-in; one statement, so that an account that exists costs no more than one that does not.
    static func candidate(
        _ name: LogInName, from origin: RequestOrigin, _ db: any SQLConnection
    ) throws -> LogInCandidate? {
        try candidate("a.\(name.column)", name.key, origin, db)
    }

    static func candidate(
        _ id: UserID, from origin: RequestOrigin, _ db: any SQLConnection
    ) throws -> LogInCandidate? {
        try candidate("a.id", id.text, origin, db)
    }

    private static func candidate(
        _ column: String, _ key: String, _ origin: RequestOrigin, _ db: any SQLConnection
    ) throws -> LogInCandidate? {
        try db.first(
            """
            SELECT a.id, a.state, a.passwordHash, f.userID IS NOT NULL AS isFamiliar,
                s.confirmedAt IS NOT NULL AS hasSecondFactor, a.suspendedUntil
            FROM account AS a LEFT JOIN familiarAddress AS f ON f.userID = a.id AND f.address = ?2
            LEFT JOIN secondFactor AS s ON s.userID = a.id WHERE \(column) = ?1
            """, [.text(key), .text(origin.group.description)]
        ) { row in
            LogInCandidate(
                id: try row.value("id"), state: try row.state("state"),
                suspendedUntil: try row.optionalTime("suspendedUntil"),
                hash: (try row.optional("passwordHash") as String?).flatMap { PasswordHash(parsing: $0) },
                isFamiliar: try row.boolean("isFamiliar"), hasSecondFactor: try row.boolean("hasSecondFactor"))
        }
    }

    static func isTaken(_ username: Username, _ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM account WHERE usernameKey = ?1", .text(username.key))
    }

    /// The first of some usernames that nobody has; `nil` if each is taken.
    static func firstFree(_ usernames: [Username], _ db: any SQLConnection) throws -> Username? {
        try usernames.first { try !isTaken($0, db) }
    }

    static func isTaken(_ email: EmailAddress, by other: UserID? = nil, _ db: any SQLConnection) throws -> Bool {
        let owner: UserID? = try db.firstValue("SELECT id FROM account WHERE emailKey = ?1", .text(email.key))
        return owner != nil && owner != other
    }

    /// Whether there is an account, other than one, that can administer.
    static func hasAdministrator(besides id: UserID? = nil, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            "SELECT 1 FROM account WHERE role = ?1 AND state = ?2 AND id <> ?3 LIMIT 1",
            .text(Role.administrator.rawValue), .text(AccountState.active.rawValue), .text(id?.text ?? ""))
    }

    // MARK: Writing

    static func insert(_ account: Account, _ hash: PasswordHash?, _ db: any SQLConnection) throws {
        try db.insert(
            [
                "id": .text(account.id.text), "username": .text(account.username),
                "usernameKey": .caseless(account.username), "email": SQLValue(account.email),
                "emailKey": account.email.map { .caseless($0) } ?? .null,
                "emailConfirmedAt": .time(account.emailConfirmedAt), "name": SQLValue(account.profile.name),
                "mobile": SQLValue(account.profile.mobile), "city": SQLValue(account.profile.city),
                "country": SQLValue(account.profile.country), "role": .text(account.role.rawValue),
                "state": .text(account.state.rawValue), "passwordHash": SQLValue(hash?.text),
                "passwordChangedAt": .time(hash == nil ? nil : account.createdAt),
                "createdAt": .time(account.createdAt), "revision": 1,
            ], into: AccountsSchema.accounts)
    }

    /// Changes columns, and raises the revision.
    static func update(
        _ id: UserID, _ changes: [(column: String, value: SQLValue)], _ db: any SQLConnection
    ) throws {
        let assignments = changes.indices.map { "\(changes[$0].column) = ?\($0 + 2)" } + ["revision = revision + 1"]
        let count = try db.execute(
            "UPDATE account SET \(assignments.joined(separator: ", ")) WHERE id = ?1",
            [.text(id.text)] + changes.map(\.value))
        guard count == 1 else { throw Refusal(.notFound, "there is no such account") }
    }

    static func setPassword(
        _ hash: PasswordHash, of id: UserID, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try update(id, [("passwordHash", .text(hash.text)), ("passwordChangedAt", .time(time))], db)
    }

    /// Replaces a hash by one of the same password with other parameters. A password that was changed meanwhile stays.
    static func upgrade(
        _ old: PasswordHash, to new: PasswordHash, of id: UserID, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "UPDATE account SET passwordHash = ?1 WHERE id = ?2 AND passwordHash = ?3", .text(new.text),
            .text(id.text), .text(old.text))
    }

    static func noteLogIn(
        _ id: UserID, from origin: RequestOrigin, at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        try db.execute("UPDATE account SET lastLogInAt = ?1 WHERE id = ?2", .time(time), .text(id.text))
        try db.execute(
            AccountsSchema.familiarAddresses.upsert, .text(id.text), .text(origin.group.description), .time(time))
    }

    /// The accounts whose suspension has ended, and that is not written down yet.
    static func suspensionsEnded(at time: WallClockTime, limit: Int, _ db: any SQLConnection) throws -> [UserID] {
        try db.rows(
            "SELECT id FROM account WHERE suspendedUntil <= ?1 AND state = ?2 ORDER BY suspendedUntil LIMIT ?3",
            [.time(time), .text(AccountState.suspended.rawValue), SQLValue(limit)]
        ) { try $0.value(0) }
    }

    /// Deletes accounts whose address was never confirmed.
    static func deleteUnconfirmed(before time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute(
            "DELETE FROM account WHERE state = ?1 AND createdAt < ?2",
            .text(AccountState.awaitingConfirmation.rawValue), .time(time))
    }

    /// Forgets the addresses from which nobody has logged in for long.
    static func deleteFamiliarAddresses(before time: WallClockTime, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM familiarAddress WHERE lastSeenAt < ?1", .time(time))
    }

    /// Deletes an account with everything that belongs to it.
    static func delete(_ id: UserID, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM account WHERE id = ?1", .text(id.text))
    }
}

extension Account {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            id: try row.value("id"), username: try row.value("username"), email: try row.optional("email"),
            emailConfirmedAt: try row.optionalTime("emailConfirmedAt"),
            profile: Profile(
                name: try row.optional("name"), mobile: try row.optional("mobile"), city: try row.optional("city"),
                country: try row.optional("country"), language: try row.optional("language")),
            photo: try row.optional("photo"), role: try row.role("role"), state: try row.state("state"),
            suspendedUntil: try row.optionalTime("suspendedUntil"), hasPassword: try row.boolean("hasPassword"),
            createdAt: try row.time("createdAt"),
            lastLogInAt: try row.optionalTime("lastLogInAt"),
            revision: try row.value("revision"))
    }
}
