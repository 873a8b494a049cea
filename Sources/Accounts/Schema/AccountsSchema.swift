package import Database

/// The tables of accounts. Times are milliseconds since 1970 in UTC; credentials are digests.
package enum AccountsSchema {
    static let accounts = SQLTable(
        "account",
        [
            .text("id"), .text("username"), .caselessKey("usernameKey"), .text("email", .optional),
            .text("emailKey", .optional, .unique), .integer("emailConfirmedAt", .optional), .text("name", .optional),
            .text("mobile", .optional), .text("city", .optional), .text("country", .optional),
            .text("photo", .optional), .text("role"), .text("state"), .text("passwordHash", .optional),
            .integer("passwordChangedAt", .optional), .integer("createdAt"), .integer("lastLogInAt", .optional),
            .integer("revision"), .integer("suspendedUntil", .optional), .text("language", .optional),
        ], key: ["id"],
        indexes: [
            SQLIndex("account_state", "state", "usernameKey"),
            SQLIndex("account_role", "role", "usernameKey"),
            SQLIndex("account_suspendedUntil", "suspendedUntil", where: "suspendedUntil IS NOT NULL"),
        ])
    static let channelGrants = SQLTable(
        "channelGrant",
        [.text("userID", .account), .text("channel"), .text("actions")], key: ["userID", "channel"])
    static let sessions = SQLTable(
        "accountSession",
        [
            .text("id"), .blob("digest", .unique), .text("userID", .account), .integer("isPersistent"),
            .integer("createdAt"), .integer("lastUsedAt"), .integer("idleAt"), .integer("expiresAt"),
            .text("address"), .text("device"),
        ], key: ["id"],
        indexes: [
            SQLIndex("accountSession_user", "userID", "createdAt"),
            SQLIndex("accountSession_expiresAt", "expiresAt"),
        ])
    static let familiarAddresses = SQLTable(
        "familiarAddress",
        [.text("userID", .account), .text("address"), .integer("lastSeenAt")], key: ["userID", "address"],
        indexes: [SQLIndex("familiarAddress_lastSeenAt", "lastSeenAt")])
    static let tokens = SQLTable(
        "accountToken",
        [
            .text("id"), .text("kind"), .blob("digest", .unique), .text("userID", .account), .text("name"),
            .text("actions"), .text("channels", .optional), .integer("createdAt"), .integer("expiresAt", .optional),
            .integer("lastUsedAt", .optional), .text("lastAddress", .optional),
        ], key: ["id"],
        indexes: [SQLIndex("accountToken_user", "userID", "createdAt")])
    static let links = SQLTable(
        "accountLink",
        [
            .text("id"), .blob("digest", .unique), .text("purpose"), .text("userID", .optional, .account),
            .text("email", .optional), .text("role", .optional), .integer("createdAt"), .integer("expiresAt"),
        ], key: ["id"],
        indexes: [
            SQLIndex("accountLink_user", "userID"),
            SQLIndex("accountLink_expiresAt", "expiresAt"),
        ])
    static let secondFactors = SQLTable(
        "secondFactor",
        [
            .text("userID", .account), .blob("sealedKey"), .integer("confirmedAt", .optional), .integer("lastStep"),
            .integer("failureCount"), .integer("nextTryAt"),
        ], key: ["userID"])
    static let recoveryCodes = SQLTable(
        "recoveryCode",
        [.text("userID", .account), .blob("digest")], key: ["userID", "digest"])
    static let challenges = SQLTable(
        "logInChallenge",
        [
            .blob("digest"), .text("userID", .account), .integer("isPersistent"), .integer("triesLeft"),
            .integer("expiresAt"),
        ], key: ["digest"],
        indexes: [
            SQLIndex("logInChallenge_expiresAt", "expiresAt"),
            SQLIndex("logInChallenge_user", "userID"),
        ])
    static let deviceGrants = SQLTable(
        "deviceGrant",
        [
            .text("id"), .blob("digest", .unique), .text("userCode", .unique), .text("state"),
            .text("userID", .optional, .account), .text("address"), .text("device"), .integer("createdAt"),
            .integer("expiresAt"), .integer("pollInterval"), .integer("lastPollAt", .optional),
        ], key: ["id"],
        indexes: [
            SQLIndex("deviceGrant_expiresAt", "expiresAt"),
            SQLIndex("deviceGrant_user", "userID"),
        ])
    static let passkeys = SQLTable(
        "passkey",
        [
            .text("id"), .blob("credentialID", .unique), .text("userID", .account), .text("name"),
            .blob("publicKey"), .integer("signatureCount"), .integer("isBackupEligible"), .integer("createdAt"),
            .integer("lastUsedAt", .optional),
        ], key: ["id"],
        indexes: [SQLIndex("passkey_user", "userID")])
    static let passkeyChallenges = SQLTable(
        "passkeyChallenge",
        [.blob("digest"), .text("userID", .optional, .account), .integer("expiresAt")], key: ["digest"],
        indexes: [
            SQLIndex("passkeyChallenge_expiresAt", "expiresAt"),
            SQLIndex("passkeyChallenge_user", "userID"),
        ])
    static let auditEntries = SQLTable(
        "auditEntry",
        [
            .identity("number"), .integer("happenedAt"), .text("event"), .text("actorID", .optional),
            .text("actorName"), .text("subjectID", .optional), .text("address", .optional),
            .text("valueBefore", .optional), .text("valueAfter", .optional),
        ],
        indexes: [
            SQLIndex("auditEntry_actor", "actorID", "number"),
            SQLIndex("auditEntry_subject", "subjectID", "number"),
            SQLIndex("auditEntry_event", "event", "number"),
            SQLIndex("auditEntry_happenedAt", "happenedAt"),
        ])

    static let identities = SQLTable(
        "accountIdentity",
        [
            .text("provider"), .text("subject"), .text("userID", .account), .text("label"), .integer("createdAt"),
            .integer("lastUsedAt", .optional),
        ], key: ["provider", "subject"],
        indexes: [SQLIndex("accountIdentity_user", "userID")])
    static let photos = SQLTable(
        "accountPhoto",
        [.text("userID", .account), .blob("jpeg")], key: ["userID"])

    package static let schema = SQLSchema(
        domain: "accounts", migrations: AccountsMigrations.all,
        tables: [
            accounts, channelGrants, sessions, familiarAddresses, tokens, links, secondFactors, recoveryCodes,
            challenges, deviceGrants, passkeys, passkeyChallenges, auditEntries, photos,
            identities,
        ])
}
