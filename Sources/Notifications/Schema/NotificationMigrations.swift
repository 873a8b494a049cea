import Database

/// The published migrations of notifications. They are never edited; a new column needs none, see `SQLColumn`.
enum NotificationMigrations {
    static let all = [migration, webhookMigration, channelMigration, tokenMigration, videoMigration]

    private static let indexes: [(name: String, columns: String)] = [
        ("notificationDeed_due", "notificationDeed(dueAt, number) WHERE state = 'pending'"),
        ("notificationDeed_happenedAt", "notificationDeed(happenedAt)"),
        ("notificationDeed_actor", "notificationDeed(actorID)"),
        ("notificationDeed_receiver", "notificationDeed(receiverID)"),
        ("notification_list", "notification(receiverID, changedAt, number) WHERE isListed = 1"),
        ("notification_unread", "notification(receiverID) WHERE isListed = 1 AND readAt IS NULL"),
        ("notification_revision", "notification(receiverID, revision)"),
        ("notification_changedAt", "notification(changedAt)"),
        ("notification_deed", "notification(deed1)"),
        ("notification_mail", "notification(mailDueAt, receiverID) WHERE mailDueAt IS NOT NULL"),
        ("pushSubscription_user", "pushSubscription(userID, number)"),
        ("notification_push", "notification(pushDueAt, number) WHERE pushDueAt IS NOT NULL"),
    ]

    private static let webhookIndex = (
        name: "notification_webhook", columns: "notification(webhookDueAt, number) WHERE webhookDueAt IS NOT NULL"
    )

    private static let migration = SQLMigration(1, "notifications", oldestCompatibleVersion: 1) { db in
        let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
        let account = "REFERENCES account(id) ON DELETE CASCADE"
        try db.execute(
            """
            CREATE TABLE notificationDeed(
                number \(db.dialect.identityColumn), identity \(text) NOT NULL UNIQUE, kind \(text) NOT NULL,
                actorID \(text) \(account), receiverID \(text) \(account), video \(text), comment \(text),
                subject \(text), detail \(text), happenedAt \(integer) NOT NULL, state \(text) NOT NULL,
                reached \(text) NOT NULL, dueAt \(integer) NOT NULL)
            """)
        try db.execute(
            """
            CREATE TABLE notification(
                number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE,
                receiverID \(text) NOT NULL \(account), kind \(text) NOT NULL, topic \(text) NOT NULL,
                windowAt \(integer) NOT NULL, count \(integer) NOT NULL CHECK (count > 0), deed1 \(integer) NOT NULL,
                deed2 \(integer), deed3 \(integer), changedAt \(integer) NOT NULL, readAt \(integer),
                revision \(integer) NOT NULL, isListed \(integer) NOT NULL, mailDueAt \(integer),
                pushDueAt \(integer), pushCount \(integer) NOT NULL, UNIQUE (receiverID, kind, topic, windowAt))
            """)
        try db.execute(
            """
            CREATE TABLE notificationState(
                userID \(text) PRIMARY KEY \(account), revision \(integer) NOT NULL)
            """)
        try db.execute(
            """
            CREATE TABLE notificationPreference(
                userID \(text) PRIMARY KEY \(account), newVideos \(integer) NOT NULL, aboutMe \(integer) NOT NULL,
                followed \(integer) NOT NULL, language \(text))
            """)
        try db.execute(
            """
            CREATE TABLE pushSubscription(
                number \(db.dialect.identityColumn), id \(text) NOT NULL UNIQUE, userID \(text) NOT NULL \(account),
                endpoint \(text) NOT NULL UNIQUE, publicKey \(db.dialect.name(of: .blob)) NOT NULL,
                authentication \(db.dialect.name(of: .blob)) NOT NULL, language \(text) NOT NULL,
                createdAt \(integer) NOT NULL)
            """)
        try db.execute(
            "CREATE TABLE notificationPosition(name \(text) PRIMARY KEY, number \(integer) NOT NULL)")
        for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
    }

    /// A server of the version before tells no webhooks.
    private static let webhookMigration = SQLMigration(2, "webhooks", oldestCompatibleVersion: 1) { db in
        try db.execute("ALTER TABLE notification ADD COLUMN webhookDueAt \(db.dialect.name(of: .integer))")
        try db.execute("CREATE INDEX \(webhookIndex.name) ON \(webhookIndex.columns)")
    }

    /// The channels from which members could choose when they saved their preferences: until now those without
    /// webhooks.
    private static let channelMigration = SQLMigration(3, "offered channels", oldestCompatibleVersion: 1) { db in
        let column = "channels \(db.dialect.name(of: .integer)) NOT NULL DEFAULT 7"
        try db.execute("ALTER TABLE notificationPreference ADD COLUMN \(column)")
    }

    /// A server of the version before lets the browsers that a token has added outlive it.
    private static let tokenMigration = SQLMigration(4, "tokens of browsers", oldestCompatibleVersion: 1) { db in
        let reference = "REFERENCES accountToken(id) ON DELETE CASCADE"
        try db.execute("ALTER TABLE pushSubscription ADD COLUMN tokenID \(db.dialect.name(of: .text)) \(reference)")
    }

    private static let videoIndex = (
        name: "notificationDeed_video", columns: "notificationDeed(video) WHERE video IS NOT NULL"
    )

    /// Finds what was told of a video that is gone.
    private static let videoMigration = SQLMigration(5, "deeds by their video", oldestCompatibleVersion: 1) { db in
        try db.execute("CREATE INDEX \(videoIndex.name) ON \(videoIndex.columns)")
    }
}
