package import Accounts
import Database
package import MediaCore
import Synchronization

extension Messaging {
    /// Limit of a text that contacts or members are looked for by, in characters.
    private static let maximumQueryLength = 320

    /// A page of the caller's contacts in the order of their names.
    ///
    /// - Parameters:
    ///   - text: the beginning of the names, in any case; empty for all.
    ///   - letter: a text from which on the list begins, such as a letter; `nil` for the beginning. A cursor goes on
    ///     after it.
    ///   - caller: the member.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `loginNeeded` or `invalidCursor`.
    package func contacts(
        _ text: String = "", from letter: String? = nil, of caller: Caller, after cursor: String? = nil,
        limit: Int? = nil
    ) async throws -> ListPage<Contact> {
        let (member, size) = (try caller.requireMember().id, ListPage<Contact>.size(limit))
        let prefix = CaselessKey(String(text.prefix(Self.maximumQueryLength))).text
        // A name that begins with the letter comes after the letter itself, which is too short for a name.
        let first = letter.map { CaselessKey(String($0.prefix(Self.maximumQueryLength))).text } ?? ""
        let start = try cursor.map { try NameCursor.key(parsing: $0) } ?? first
        return try await database.read { db in
            let rows = try ContactRows.contacts(of: member, prefix: prefix, after: start, limit: size + 1, db)
            return ListPage(rows, size: size) { NameCursor.text($0.member.username) }
        }
    }

    /// The first letters of the names of the caller's contacts, by which a list jumps.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package func contactLetters(of caller: Caller) async throws -> [String] {
        let member = try caller.requireMember().id
        return try await database.read { db in try ContactRows.letters(of: member, db) }
    }

    /// A contact of the caller.
    ///
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func contact(_ name: String, of caller: Caller) async throws -> Contact {
        let member = try caller.requireMember().id
        return try await database.read { db in
            guard let other = try AccountReferences.active(named: name, db),
                let contact = try ContactRows.contact(other, of: member, db)
            else { throw Refusal(.notFound, "you have no such contact") }
            return contact
        }
    }

    /// Ends that two members are contacts. Their conversation stays.
    ///
    /// - Throws: `Refusal` with `notFound` or `loginNeeded`.
    package func removeContact(_ name: String, by caller: Caller) async throws {
        let member = try caller.requireMember().id
        try await database.write { [self] db in
            guard let other = try AccountReferences.active(named: name, db),
                try ContactRows.remove(member, other, db)
            else { throw Refusal(.notFound, "you have no such contact") }
            try self.touch([member, other], db)
        }
    }

    /// Finds a member by the e-mail address or the telephone number, if they allow it. The answer is the same for an
    /// address that nobody has and for one whose owner does not allow it.
    ///
    /// - Throws: `Refusal` with `loginNeeded`, `invalidField` for a text that is neither, or `tooManyAttempts`.
    package func find(byAddress text: String, by caller: Caller) async throws -> [NamedMember] {
        let member = try caller.requireMember().id
        let text = String(text.prefix(Self.maximumQueryLength)).withoutSurroundingBlanks
        let email = text.contains("@") ? text : nil
        let phone = email == nil ? PhoneKey.key(text) : nil
        guard email != nil || phone != nil else {
            throw Refusal(
                .invalidField, "\(Refusal.quoted(text)) is neither an e-mail address nor a telephone number",
                field: "q")
        }
        let uptime = uptime()
        if let wait = finds.withLock({ $0.admit(member, now: uptime) }) {
            throw Refusal.tooManyAttempts("you have looked for too many addresses", retryAfter: wait)
        }
        return try await database.read { db in
            let candidates: [UserID] =
                if let email { try AccountReferences.active(withEmail: email, db).map { [$0] } ?? [] } else {
                    try MessagingMemberRows.members(withPhoneKey: phone ?? "", limit: 10, db)
                }
            let found = try candidates.filter { user in
                guard user != member else { return false }
                return try email != nil
                    ? MessagingMemberRows.isFoundByEmail(user, db)
                    : AccountReferences.mobile(of: user, db).flatMap(PhoneKey.key) == phone
            }
            return try found.compactMap { user in
                guard let name = try AccountReferences.name(of: user, db) else { return nil }
                return NamedMember(id: user, username: name.username, photo: name.photo)
            }
        }
    }

    // MARK: Choices

    /// The caller's choices.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package func preferences(of caller: Caller) async throws -> MessagingPreferences {
        let member = try caller.requireMember().id
        return try await database.read { db in try MessagingMemberRows.preferences(of: member, db) }
    }

    /// Changes the caller's choices.
    ///
    /// - Parameters:
    ///   - caller: the member.
    ///   - change: makes the change; may run more than once.
    /// - Throws: `Refusal` with `loginNeeded`, or `conflict` for a member who wants to be found by a telephone number
    ///   and has none.
    package func changePreferences(
        of caller: Caller, _ change: @escaping @Sendable (inout MessagingPreferences) -> Void
    ) async throws -> MessagingPreferences {
        let member = try caller.requireMember().id
        return try await database.write { db in
            try AccountReferences.lock(member, db)
            var preferences = try MessagingMemberRows.preferences(of: member, db)
            change(&preferences)
            let key =
                preferences.isFoundByPhone ? try AccountReferences.mobile(of: member, db).flatMap(PhoneKey.key) : nil
            guard !preferences.isFoundByPhone || key != nil else {
                throw Refusal(.conflict, "your account has no telephone number; add one first")
            }
            try MessagingMemberRows.set(preferences, phoneKey: key, of: member, db)
            return preferences
        }
    }

    /// The time that passes between two notes that somebody is online.
    private static let seenInterval = Duration.seconds(45)

    /// Notes that a member is online.
    ///
    /// - Throws: `SQLError`
    package func noteSeen(_ user: UserID) async throws {
        let now = now
        try await database.write(durability: .soon) { db in
            try MessagingMemberRows.noteSeen(user, at: now, notSince: now - Self.seenInterval, db)
        }
    }
}
