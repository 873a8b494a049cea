import Database

/// The published migrations of accounts. They are never edited; a new column needs none, see `SQLColumn`.
enum AccountsMigrations {
    static let all = [
        SQLMigration(1, "accounts, sessions, tokens, audit log", oldestCompatibleVersion: 1) { db in
            for table in definitions(db.dialect) { try db.execute("CREATE TABLE \(table)") }
            for index in indexes { try db.execute("CREATE INDEX \(index.name) ON \(index.columns)") }
        },
        SQLMigration(2, "photos", oldestCompatibleVersion: 1) { db in
            let (text, blob) = (db.dialect.name(of: .text), db.dialect.name(of: .blob))
            try db.execute(
                """
                CREATE TABLE accountPhoto(
                    userID \(text) PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE, jpeg \(blob) NOT NULL)
                """)
        },
        SQLMigration(3, "identities with providers", oldestCompatibleVersion: 1) { db in
            let (text, integer) = (db.dialect.name(of: .text), db.dialect.name(of: .integer))
            try db.execute(
                """
                CREATE TABLE accountIdentity(
                    provider \(text) NOT NULL, subject \(text) NOT NULL,
                    userID \(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE, label \(text) NOT NULL,
                    createdAt \(integer) NOT NULL, lastUsedAt \(integer), PRIMARY KEY (provider, subject))
                """)
            try db.execute("CREATE INDEX accountIdentity_user ON accountIdentity(userID)")
        },
        // For a server of the version before, a suspension has no end until this one has written it down.
        SQLMigration(4, "ends of suspensions", oldestCompatibleVersion: 1) { db in
            try db.execute("ALTER TABLE account ADD COLUMN suspendedUntil \(db.dialect.name(of: .integer))")
            try db.execute(
                "CREATE INDEX \(suspensionIndex) ON account(suspendedUntil) WHERE suspendedUntil IS NOT NULL")
        },
        SQLMigration(5, "languages of accounts", oldestCompatibleVersion: 1) { db in
            try db.execute("ALTER TABLE account ADD COLUMN language \(db.dialect.name(of: .text))")
        },
    ]

    private static let suspensionIndex = "account_suspendedUntil"

    private static let indexes: [(name: String, columns: String)] = [
        ("account_state", "account(state, usernameKey)"),
        ("account_role", "account(role, usernameKey)"),
        ("accountSession_user", "accountSession(userID, createdAt)"),
        ("accountSession_expiresAt", "accountSession(expiresAt)"),
        ("familiarAddress_lastSeenAt", "familiarAddress(lastSeenAt)"),
        ("accountToken_user", "accountToken(userID, createdAt)"),
        ("accountLink_user", "accountLink(userID)"),
        ("accountLink_expiresAt", "accountLink(expiresAt)"),
        ("logInChallenge_expiresAt", "logInChallenge(expiresAt)"),
        ("logInChallenge_user", "logInChallenge(userID)"),
        ("deviceGrant_expiresAt", "deviceGrant(expiresAt)"),
        ("deviceGrant_user", "deviceGrant(userID)"),
        ("passkey_user", "passkey(userID)"),
        ("passkeyChallenge_expiresAt", "passkeyChallenge(expiresAt)"),
        ("passkeyChallenge_user", "passkeyChallenge(userID)"),
        ("auditEntry_actor", "auditEntry(actorID, number)"),
        ("auditEntry_subject", "auditEntry(subjectID, number)"),
        ("auditEntry_event", "auditEntry(event, number)"),
        ("auditEntry_happenedAt", "auditEntry(happenedAt)"),
    ]

    private static func definitions(_ dialect: SQLDialect) -> [String] {
        let (text, integer, blob) = (dialect.name(of: .text), dialect.name(of: .integer), dialect.name(of: .blob))
        // What belongs to an account goes with it.
        let user = "userID \(text) NOT NULL REFERENCES account(id) ON DELETE CASCADE"
        let userOrNone = "userID \(text) REFERENCES account(id) ON DELETE CASCADE"
        return [
            """
            account(
                id \(text) PRIMARY KEY, username \(text) NOT NULL, usernameKey \(text) NOT NULL UNIQUE,
                email \(text), emailKey \(text) UNIQUE, emailConfirmedAt \(integer), name \(text), mobile \(text),
                city \(text), country \(text), photo \(text), role \(text) NOT NULL, state \(text) NOT NULL,
                passwordHash \(text), passwordChangedAt \(integer), createdAt \(integer) NOT NULL,
                lastLogInAt \(integer), revision \(integer) NOT NULL)
            """,
            "channelGrant(\(user), channel \(text) NOT NULL, actions \(text) NOT NULL, PRIMARY KEY (userID, channel))",
            """
            accountSession(
                id \(text) PRIMARY KEY, digest \(blob) NOT NULL UNIQUE, \(user), isPersistent \(integer) NOT NULL,
                createdAt \(integer) NOT NULL, lastUsedAt \(integer) NOT NULL, idleAt \(integer) NOT NULL,
                expiresAt \(integer) NOT NULL, address \(text) NOT NULL, device \(text) NOT NULL)
            """,
            """
            familiarAddress(
                \(user), address \(text) NOT NULL, lastSeenAt \(integer) NOT NULL, PRIMARY KEY (userID, address))
            """,
            """
            accountToken(
                id \(text) PRIMARY KEY, kind \(text) NOT NULL, digest \(blob) NOT NULL UNIQUE, \(user),
                name \(text) NOT NULL, actions \(text) NOT NULL, channels \(text), createdAt \(integer) NOT NULL,
                expiresAt \(integer), lastUsedAt \(integer), lastAddress \(text))
            """,
            """
            accountLink(
                id \(text) PRIMARY KEY, digest \(blob) NOT NULL UNIQUE, purpose \(text) NOT NULL, \(userOrNone),
                email \(text), role \(text), createdAt \(integer) NOT NULL, expiresAt \(integer) NOT NULL)
            """,
            """
            secondFactor(
                userID \(text) PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE, sealedKey \(blob) NOT NULL,
                confirmedAt \(integer), lastStep \(integer) NOT NULL, failureCount \(integer) NOT NULL,
                nextTryAt \(integer) NOT NULL)
            """,
            "recoveryCode(\(user), digest \(blob) NOT NULL, PRIMARY KEY (userID, digest))",
            """
            logInChallenge(
                digest \(blob) PRIMARY KEY, \(user), isPersistent \(integer) NOT NULL, triesLeft \(integer) NOT NULL,
                expiresAt \(integer) NOT NULL)
            """,
            """
            deviceGrant(
                id \(text) PRIMARY KEY, digest \(blob) NOT NULL UNIQUE, userCode \(text) NOT NULL UNIQUE,
                state \(text) NOT NULL, \(userOrNone), address \(text) NOT NULL, device \(text) NOT NULL,
                createdAt \(integer) NOT NULL, expiresAt \(integer) NOT NULL, pollInterval \(integer) NOT NULL,
                lastPollAt \(integer))
            """,
            """
            passkey(
                id \(text) PRIMARY KEY, credentialID \(blob) NOT NULL UNIQUE, \(user), name \(text) NOT NULL,
                publicKey \(blob) NOT NULL, signatureCount \(integer) NOT NULL, isBackupEligible \(integer) NOT NULL,
                createdAt \(integer) NOT NULL, lastUsedAt \(integer))
            """,
            "passkeyChallenge(digest \(blob) PRIMARY KEY, \(userOrNone), expiresAt \(integer) NOT NULL)",
            """
            auditEntry(
                number \(dialect.identityColumn), happenedAt \(integer) NOT NULL, event \(text) NOT NULL,
                actorID \(text), actorName \(text) NOT NULL, subjectID \(text), address \(text),
                valueBefore \(text), valueAfter \(text))
            """,
        ]
    }
}
