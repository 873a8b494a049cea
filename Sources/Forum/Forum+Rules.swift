package import Accounts
import Community
import Database
import MediaCore

extension Forum {
    /// The rules as an operator has written them; `nil` for a language whose rules are those of the program.
    package func ownRules(_ language: String) async throws -> String? {
        try await database.read { db in
            try db.firstValue("SELECT text FROM forumRules WHERE language = ?1", .text(language))
        }
    }

    /// Sets the rules in a language. Whether the caller may is for the caller of this to ask.
    ///
    /// - Parameters:
    ///   - text: Markdown; empty for the rules of the program.
    ///   - language: the language.
    /// - Throws: `Refusal` with `invalidField`.
    package func setRules(_ text: String, _ language: String) async throws {
        let (text, now) = (try ForumWriting.lines(text, "text", maximumLength: ForumRules.maximumLength), now)
        try await database.write { db in
            guard !text.isEmpty else {
                try db.execute("DELETE FROM forumRules WHERE language = ?1", .text(language))
                return
            }
            try db.upsert(
                ["language": .text(language), "text": .text(text), "changedAt": .time(now)], into: ForumSchema.rules)
        }
    }

    /// Whether a member has accepted the rules.
    package func hasAccepted(_ member: UserID) async throws -> Bool {
        try await database.read { db in try Self.hasAccepted(member, db) }
    }

    /// Notes that a member has accepted the rules. Doing it again changes nothing.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package func acceptRules(by caller: Caller) async throws {
        let (member, now) = (try Community.member(caller).id, now)
        try await database.write { db in
            try db.insert(
                ["userID": .text(member.text), "acceptedAt": .time(now)], into: ForumSchema.acceptances,
                "ON CONFLICT (userID) DO NOTHING")
        }
    }

    private static func hasAccepted(_ member: UserID, _ db: any SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM forumAcceptance WHERE userID = ?1", .text(member.text))
    }

    /// - Throws: `Refusal` with `conflict` for a member who has not accepted the rules.
    static func requireAcceptance(_ member: UserID, _ db: any SQLConnection) throws {
        guard try hasAccepted(member, db) else {
            throw Refusal(.conflict, "accept the rules of the forum first", field: "acceptsRules")
        }
    }
}
