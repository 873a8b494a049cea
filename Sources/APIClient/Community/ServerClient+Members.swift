package import JSONDocument
import NIOHTTP1

extension ServerClient {
    /// Members whose usernames begin with a text, by username; all if it is `nil`.
    package func members(matching text: String?, limit: Int) async throws -> [JSONNode] {
        try await list("/api/v1/members?\(text.map { "q=\(Self.escaped($0))" } ?? "")", limit: limit)
    }

    /// The public profile of a member.
    package func memberProfile(_ name: String) async throws -> JSONNode {
        try await get(Self.path("users", name, "profile"))
    }

    /// The caller's own profile.
    package func ownProfile() async throws -> JSONNode { try await get("/api/v1/me/profile") }

    /// Changes what the caller says about themselves, by a JSON merge patch.
    package func changeOwnProfile(_ change: JSONText) async throws -> JSONNode {
        try await send(.PATCH, "/api/v1/me/profile", change)
    }

    /// The caller's community activity.
    ///
    /// - Parameters:
    ///   - list: `news`, `followed` or `own`.
    ///   - limit: number of entries.
    package func ownActivities(_ list: String, limit: Int) async throws -> [JSONNode] {
        try await self.list("/api/v1/me/activities?list=\(Self.escaped(list))", limit: limit)
    }

    /// The members whom the caller blocks or mutes.
    ///
    /// - Parameters:
    ///   - kind: `block` or `mute`.
    ///   - limit: number of members.
    package func barriers(_ kind: String, limit: Int) async throws -> [JSONNode] {
        try await list("/api/v1/me/\(kind)s", limit: limit)
    }

    /// Blocks or mutes a member, or ends it, and returns the profile.
    package func setBarrier(_ kind: String, _ isOn: Bool, _ name: String) async throws -> JSONNode {
        try await send(isOn ? .PUT : .DELETE, Self.path("users", name, kind))
    }

    /// Moderators' decisions about the caller.
    package func ownWarnings(limit: Int) async throws -> [JSONNode] {
        try await list("/api/v1/me/warnings", limit: limit)
    }

    /// Warns the owner of something that was reported.
    package func warn(_ kind: String, _ id: String, _ text: String) async throws {
        _ = try await send(
            .POST, Self.path("moderation/\(Self.escaped(kind))", id, "warning"), .object([("text", .string(text))]))
    }

    /// Suspends the account of the owner of something that was reported.
    ///
    /// - Parameters:
    ///   - kind: what was reported.
    ///   - id: its ID.
    ///   - seconds: the time after which the account can be used again; `nil` for a suspension without end.
    ///   - note: what the owner is told.
    package func suspendOwner(_ kind: String, _ id: String, for seconds: Int?, note: String?) async throws {
        _ = try await send(
            .POST, Self.path("moderation/\(Self.escaped(kind))", id, "suspension"),
            .object([("note", .optional(note)), ("suspendedFor", .optional(seconds))]))
    }
}
