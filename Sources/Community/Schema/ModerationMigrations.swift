import Catalogue
import Database

/// Published migrations; see ``CommunityMigrations``.
enum ModerationMigrations {
    private static let indexes: [(name: String, columns: String)] = [
        ("memberBarrier_user", "memberBarrier(userID, kind, number)"),
        ("memberBarrier_other", "memberBarrier(otherID)"),
        ("moderationRecord_user", "moderationRecord(userID, number)"),
    ]

    /// No two rows may have the same.
    private static let uniqueIndexes: [(name: String, columns: String)] = [
        ("memberBarrier_fact", "memberBarrier(userID, otherID, kind)")
    ]

    /// A server of the version before takes the reports of somebody who leaves back.
    static let anonymityMigration = SQLMigration(7, "reports of members who have left", oldestCompatibleVersion: 1) {
        db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        try db.rebuild(
            "itemReport", numberedBy: "number",
            columns: "number, kind, subject, reporterID, reason, text, reportedAt, decidedAt, weight",
            """
            number \(db.dialect.identityColumn), kind \(text) NOT NULL, subject \(text) NOT NULL,
            reporterID \(text) REFERENCES account(id) ON DELETE SET NULL, reason \(text) NOT NULL,
            text \(text) NOT NULL, reportedAt \(integer) NOT NULL, decidedAt \(integer),
            weight \(integer) NOT NULL DEFAULT 2
            """)
        try db.execute("CREATE INDEX itemReport_item ON itemReport(kind, subject, number)")
        try db.execute("CREATE INDEX itemReport_reporter ON itemReport(reporterID, reportedAt)")
        try db.execute("CREATE UNIQUE INDEX itemReport_fact ON itemReport(kind, subject, reporterID)")
    }

    /// A server of the version before keeps a film of the station from everybody again if its video is hidden there.
    static let releaseMigration = SQLMigration(
        8, "films of the station whose videos are hidden", oldestCompatibleVersion: 1
    ) { db in
        let titles = try db.rows(
            """
            SELECT title.id, v.visibility FROM communityVideo AS v JOIN title ON title.number = v.titleNumber
            WHERE v.state = 'hidden'
            AND NOT EXISTS (SELECT 1 FROM memberUpload WHERE memberUpload.titleNumber = title.number)
            """, []
        ) { row in (id: try row.value("id") as String, visibility: try row.value("visibility") as String) }
        for title in titles {
            try AudienceRows.hold(title.visibility == "unlisted" ? .unlisted : nil, in: .titles, of: title.id, db)
        }
    }

    static let migration = SQLMigration(
        4, "blocked and muted members, records of moderators", oldestCompatibleVersion: 1
    ) { db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        let account = "\(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE"
        try db.execute(
            """
            CREATE TABLE memberBarrier(
                number \(db.dialect.identityColumn), userID \(account), otherID \(account), kind \(text) NOT NULL,
                madeAt \(integer) NOT NULL, CHECK (userID <> otherID))
            """)
        try db.execute(
            """
            CREATE TABLE moderationRecord(
                number \(db.dialect.identityColumn), userID \(account), event \(text) NOT NULL, kind \(text) NOT NULL,
                subject \(text) NOT NULL, text \(text) NOT NULL, moderator \(text) NOT NULL,
                happenedAt \(integer) NOT NULL)
            """)
        try db.execute(
            """
            CREATE TABLE reporterRecord(
                userID \(text) PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE, confirmed \(integer) NOT NULL,
                rejected \(integer) NOT NULL)
            """)
        try db.execute(
            "ALTER TABLE itemReport ADD COLUMN weight \(integer) NOT NULL DEFAULT 2")
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        for index in uniqueIndexes { try db.execute("CREATE UNIQUE INDEX \(index.name) ON \(index.columns)") }
    }
}
