package import Database

/// The audiences of single titles and tracks, and the accounts to which single ones are opened. Each function runs
/// inside the transaction of its caller. Both belong to the ID of a title or track: they stay when its file is renamed,
/// and go when it is deleted.
package enum AudienceRows {
    /// The tables of titles and tracks, which are the sections of audiences.
    package enum Section: String, Sendable, Hashable, CaseIterable {
        case titles = "title"
        case tracks = "audioTrack"
    }

    static let rules = SQLTable(
        "audienceRule", [.text("section"), .text("subject"), .text("audience")],
        key: ["section", "subject"])
    static let grants = SQLTable(
        "audienceGrant", [.text("section"), .text("subject"), .text("userID")],
        key: ["section", "subject", "userID"])
    static let holds = SQLTable(
        "audienceHold", [.text("section"), .text("subject"), .text("reason")],
        key: ["section", "subject"])
    /// The counter that changes with everything that decides about audiences.
    private static let counterName = "audience"

    // MARK: Changes

    /// Sets the audience of a title or track; `nil` for that of its section.
    package static func set(
        _ audience: ItemAudienceName?, in section: Section, of subject: String, _ db: any SQLConnection
    ) throws {
        try set(audience?.rawValue, in: rules, section, subject, db)
        try noteChange(db)
    }

    private static func set(
        _ value: String?, in table: SQLTable, _ section: Section, _ subject: String, _ db: any SQLConnection
    ) throws {
        if let value {
            try db.execute(table.upsert, .text(section.rawValue), .text(subject), .text(value))
        } else {
            try db.execute(
                "DELETE FROM \(table.name) WHERE section = ?1 AND subject = ?2", .text(section.rawValue), .text(subject)
            )
        }
    }

    /// Replaces the accounts to which a title or track is opened.
    package static func grant(
        to accounts: [String], in section: Section, of subject: String, _ db: any SQLConnection
    ) throws {
        try db.execute(
            "DELETE FROM audienceGrant WHERE section = ?1 AND subject = ?2", .text(section.rawValue), .text(subject))
        for account in accounts {
            try db.execute(grants.upsert, .text(section.rawValue), .text(subject), .text(account))
        }
        try noteChange(db)
    }

    /// Keeps a title or track from everybody who may not read all of them, whatever its audience is; `nil` lets its
    /// audience hold again, which stays as it was meanwhile.
    package static func hold(
        _ reason: HoldReason?, in section: Section, of subject: String, _ db: any SQLConnection
    ) throws {
        try set(reason?.rawValue, in: holds, section, subject, db)
        try noteChange(db)
    }

    /// Removes what was set for a title or track that is deleted, or whose ID is given to something new.
    static func remove(from section: String, _ subject: String, _ db: any SQLConnection) throws {
        guard try isSet(in: section, subject, db) else { return }
        for table in [rules.name, grants.name, holds.name] {
            try db.execute("DELETE FROM \(table) WHERE section = ?1 AND subject = ?2", .text(section), .text(subject))
        }
        try noteChange(db)
    }

    /// Notes that the names of a file lead to a title or track from now on, or to another one.
    static func noteNames(in section: String, _ subject: String, _ db: any SQLConnection) throws {
        if try isSet(in: section, subject, db) { try noteChange(db) }
    }

    private static func isSet(in section: String, _ subject: String, _ db: any SQLConnection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM audienceRule WHERE section = ?1 AND subject = ?2
            UNION ALL SELECT 1 FROM audienceGrant WHERE section = ?1 AND subject = ?2
            UNION ALL SELECT 1 FROM audienceHold WHERE section = ?1 AND subject = ?2 LIMIT 1
            """, .text(section), .text(subject))
    }

    static func noteChange(_ db: any SQLConnection) throws {
        try db.execute(
            """
            INSERT INTO counter(name, value) VALUES (?1, 1)
            ON CONFLICT (name) DO UPDATE SET value = counter.value + 1
            """, .text(counterName))
    }

    // MARK: Questions

    /// A number that changes with every audience, every grant, and the names of files that have one.
    package static func version(_ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT value FROM counter WHERE name = ?1", .text(counterName)) ?? 0
    }

    /// The audience of a title or track; `nil` if it has none of its own.
    package static func rule(
        in section: Section, of subject: String, _ db: any SQLConnection
    ) throws -> ItemAudienceName? {
        let name = try value("audience", in: rules, section, subject, db)
        return name.map { ItemAudienceName(rawValue: $0) ?? .invited }
    }

    /// The accounts to which a title or track is opened.
    package static func grants(
        in section: Section, of subject: String, _ db: any SQLConnection
    ) throws -> [String] {
        try db.rows(
            "SELECT userID FROM audienceGrant WHERE section = ?1 AND subject = ?2 ORDER BY userID",
            [.text(section.rawValue), .text(subject)]
        ) { row in try row.value(0) }
    }

    /// The number of titles and tracks with an audience of their own.
    package static func ruleCount(_ db: any SQLConnection) throws -> Int {
        try db.firstValue("SELECT count(*) FROM audienceRule") ?? 0
    }

    /// All audiences.
    package static func allRules(
        _ db: any SQLConnection
    ) throws -> [(section: Section, subject: String, audience: ItemAudienceName)] {
        // An audience of a later version is for invited people in this one.
        try all("audience", in: rules, db).map {
            ($0.section, $0.subject, ItemAudienceName(rawValue: $0.value) ?? .invited)
        }
    }

    /// Why a title or track is held; `nil` if its audience holds.
    package static func hold(
        in section: Section, of subject: String, _ db: any SQLConnection
    ) throws -> HoldReason? {
        let name = try value("reason", in: holds, section, subject, db)
        return name.map { HoldReason(rawValue: $0) ?? .hidden }
    }

    /// Everything that is held.
    package static func allHolds(
        _ db: any SQLConnection
    ) throws -> [(section: Section, subject: String, reason: HoldReason)] {
        // A reason of a later version is the strictest one in this one.
        try all("reason", in: holds, db).map { ($0.section, $0.subject, HoldReason(rawValue: $0.value) ?? .hidden) }
    }

    /// All accounts to which single titles and tracks are opened.
    package static func allGrants(
        _ db: any SQLConnection
    ) throws -> [(section: Section, subject: String, account: String)] {
        try all("userID", in: grants, db).map { ($0.section, $0.subject, $0.value) }
    }

    /// A value that is kept for a title or track; `nil` if there is none.
    private static func value(
        _ column: String, in table: SQLTable, _ section: Section, _ subject: String, _ db: any SQLConnection
    ) throws -> String? {
        try db.firstValue(
            "SELECT \(column) FROM \(table.name) WHERE section = ?1 AND subject = ?2", .text(section.rawValue),
            .text(subject))
    }

    /// The values of all titles and tracks, without those of sections that only a later version knows.
    private static func all(
        _ column: String, in table: SQLTable, _ db: any SQLConnection
    ) throws -> [(section: Section, subject: String, value: String)] {
        try db.rows("SELECT section, subject, \(column) FROM \(table.name)") { row in
            (
                section: try row.value("section") as String, subject: try row.value("subject") as String,
                value: try row.value(column) as String
            )
        }.compactMap { row in
            Section(rawValue: row.section).map { (section: $0, subject: row.subject, value: row.value) }
        }
    }

    /// The names of the files of titles with an audience or a grant, current and former ones.
    package static func titleFiles(_ db: any SQLConnection) throws -> [(file: String, subject: String)] {
        try db.rows(
            """
            WITH chosen(id) AS (
                SELECT subject FROM audienceRule WHERE section = 'title'
                UNION SELECT subject FROM audienceGrant WHERE section = 'title'
                UNION SELECT subject FROM audienceHold WHERE section = 'title')
            SELECT file, title.id AS subject FROM chosen JOIN title ON title.id = chosen.id
            UNION SELECT file, subject FROM chosen JOIN formerFile ON subject = chosen.id WHERE section = 'title'
            """
        ) { row in (file: try row.value("file") as String, subject: try row.value("subject") as String) }
    }

    /// Whether there is a title or track with an ID.
    package static func exists(in section: Section, _ subject: String, _ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM \(section.rawValue) WHERE id = ?1", .text(subject))
    }
}
