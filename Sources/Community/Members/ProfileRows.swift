import Accounts
import Database

/// The rows of members' profiles. Each function runs inside the transaction of its caller.
enum ProfileRows {
    /// Joins the account that a column names, if its profile is shown: the name of a hidden one is `NULL`.
    static func shownAccount(_ column: String) -> String {
        "\(account.leftJoin(column)) AND \(isShown)"
    }

    /// The account in statements that show members.
    static let account = JoinedAccount()

    /// The condition that the profile of ``account`` is shown.
    static let isShown = """
        NOT EXISTS (SELECT 1 FROM memberProfile AS hiding
            WHERE hiding.userID = \(account.id) AND hiding.state = '\(ProfileState.hidden.rawValue)')
        """

    /// Keeps others from changing the profile until the end of the transaction.
    ///
    /// - Returns: its state; `nil` if there is no such account.
    static func lock(_ member: UserID, _ db: any SQLConnection) throws -> ProfileState? {
        guard try AccountReferences.exists(member, db) else { return nil }
        let usual = OwnProfile()
        try db.insert(
            [
                "userID": .text(member.text), "about": "", "visibility": .text(usual.visibility.rawValue),
                "showsFollows": 1, "showsLikes": 1, "state": .text(ProfileState.shown.rawValue),
            ], into: MemberSchema.profiles, "ON CONFLICT (userID) DO NOTHING")
        let state: String? = try db.firstValue(
            "SELECT state FROM memberProfile WHERE userID = ?1\(db.dialect.rowLock)", .text(member.text))
        return state == ProfileState.shown.rawValue ? .shown : .hidden
    }

    static func setState(_ state: ProfileState, of member: UserID, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE memberProfile SET state = ?2 WHERE userID = ?1", .text(member.text), .text(state.rawValue))
    }

    /// - Returns: the usual profile for a member who has not changed it.
    static func profile(_ member: UserID, _ db: any SQLConnection) throws -> OwnProfile {
        try db.first(
            "SELECT about, visibility, showsFollows, showsLikes FROM memberProfile WHERE userID = ?1",
            [.text(member.text)]
        ) { row in
            OwnProfile(
                about: try row.value("about"),
                // What a later version has written is the strictest for this one.
                visibility: OwnProfile.Visibility(rawValue: try row.value("visibility")) ?? .members,
                showsFollows: try row.flag("showsFollows"), showsLikes: try row.flag("showsLikes"))
        } ?? OwnProfile()
    }

    static func set(_ profile: OwnProfile, of member: UserID, _ db: any SQLConnection) throws {
        try db.insert(
            [
                "userID": .text(member.text), "about": .text(profile.about),
                "visibility": .text(profile.visibility.rawValue), "showsFollows": .flag(profile.showsFollows),
                "showsLikes": .flag(profile.showsLikes), "state": .text(ProfileState.shown.rawValue),
            ], into: MemberSchema.profiles,
            """
            ON CONFLICT (userID) DO UPDATE SET about = excluded.about, visibility = excluded.visibility,
                showsFollows = excluded.showsFollows, showsLikes = excluded.showsLikes
            """)
    }

    /// The statement of the members whose usernames begin with a text, in the order of usernames.
    ///
    /// - Parameters:
    ///   - prefix: the key of the text; see `CaselessKey`.
    ///   - key: the key of the last username of the page before; `nil` for the first page.
    ///   - reader: the account of the reader; `nil` for a stranger, who does not see profiles for members.
    ///   - seesAll: whether the reader sees profiles for members.
    static func search(
        _ prefix: String, after key: String?, reader: UserID?, seesAll: Bool, limit: Int
    ) -> (sql: String, arguments: [SQLValue]) {
        var arguments: [SQLValue] = [
            .text(AccountState.active.rawValue), .text(prefix), .text(prefix + "\u{10FFFF}"),
            .text(reader?.text ?? ""), .text(key ?? ""), SQLValue(limit),
        ]
        var conditions = [
            "COALESCE(profile.state, '\(ProfileState.shown.rawValue)') = '\(ProfileState.shown.rawValue)'"
        ]
        if !seesAll {
            arguments.append(.text(OwnProfile.Visibility.everybody.rawValue))
            conditions.append("COALESCE(profile.visibility, ?\(arguments.count)) = ?\(arguments.count)")
        }
        return (
            """
            SELECT \(account.username), \(account.id),
                CASE WHEN EXISTS (SELECT 1 FROM memberFollow AS own
                    WHERE own.follower = ?4 AND own.followed = \(account.id)) THEN 1 ELSE 0 END AS isFollowed,
                \(account.photo)
            FROM \(account.table) LEFT JOIN memberProfile AS profile ON profile.userID = \(account.id)
            WHERE \(account.state) = ?1 AND \(account.usernameKey) >= ?2 AND \(account.usernameKey) < ?3
                AND \(account.usernameKey) > ?5 AND \(conditions.joined(separator: " AND "))
            ORDER BY \(account.usernameKey) LIMIT ?6
            """, arguments
        )
    }
}
