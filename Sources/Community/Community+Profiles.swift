package import Accounts
import Database
package import MediaCore

extension Community {
    /// The caller's own profile.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package func ownProfile(of caller: Caller) async throws -> OwnProfile {
        let member = try Self.member(caller).id
        return try await database.read { db in try ProfileRows.profile(member, db) }
    }

    /// Changes what the caller says about themselves.
    ///
    /// - Parameters:
    ///   - caller: the member.
    ///   - change: makes the change; may run more than once.
    /// - Throws: `Refusal` with `loginNeeded` or `invalidField`; errors of `change`.
    package func changeProfile(
        by caller: Caller, _ change: @escaping @Sendable (inout OwnProfile) throws -> Void
    ) async throws -> OwnProfile {
        let (member, words) = (try Self.member(caller).id, settings.heldWords)
        return try await database.write { db in
            var profile = try ProfileRows.profile(member, db)
            try change(&profile)
            profile = try profile.checked()
            try words.refuse(profile.about, "about")
            try ProfileRows.set(profile, of: member, db)
            return profile
        }
    }

    /// A page of the members whose usernames begin with a text, in the order of usernames. Strangers do not find
    /// profiles that are for members.
    ///
    /// - Parameters:
    ///   - text: the beginning, in any case; empty for all members.
    ///   - caller: the reader.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func findMembers(
        _ text: String, for caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ListedMember> {
        let (reader, size) = (caller.principal.member?.id, ListPage<ListedMember>.size(limit))
        let prefix = CaselessKey(String(text.prefix(Self.maximumQueryLength))).text
        let start = try cursor.map { try NameCursor.key(parsing: $0) }
        let statement = ProfileRows.search(
            prefix, after: start, reader: reader,
            seesAll: !Self.isStranger(caller),
            limit: size + 1)
        return try await database.read { db in
            let rows = try db.rows(statement.sql, statement.arguments) { row in
                let id: UserID = try row.value("id")
                return ListedMember(
                    number: 0, username: try row.value("username"),
                    isFollowed: id == reader ? nil : try row.flag("isFollowed"),
                    photo: try row.optional("photo"))
            }
            return ListPage(rows, size: size) { NameCursor.text($0.username) }
        }
    }

    static func isStranger(_ caller: Caller) -> Bool {
        if case .anonymous = caller.principal { true } else { false }
    }
}
