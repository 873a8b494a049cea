package import JSONDocument
import NIOHTTP1

extension ServerClient {
    /// Published videos, newest first.
    ///
    /// - Parameters:
    ///   - words: beginnings of words that they have; `nil` for all.
    ///   - owner: the username of their owner; `nil` for all.
    ///   - limit: number of videos.
    package func videos(matching words: String?, of owner: String?, limit: Int) async throws -> [JSONNode] {
        let parameters = [words.map { "q=\(Self.escaped($0))" }, owner.map { "owner=\(Self.escaped($0))" }]
        return try await list("/api/v1/videos?\(parameters.compactMap(\.self).joined(separator: "&"))", limit: limit)
    }

    /// A published video.
    package func video(_ id: String) async throws -> JSONNode { try await get(Self.path("videos", id)) }

    /// Publishes a title.
    ///
    /// - Parameter contents: the title and what is said about it, as the API takes it.
    package func publish(_ contents: JSONText) async throws -> JSONNode {
        try await send(.POST, "/api/v1/videos", contents)
    }

    /// Changes what is said about a video, by a JSON merge patch.
    package func changeVideo(_ id: String, _ change: JSONText) async throws -> JSONNode {
        try await patch(Self.path("videos", id), change)
    }

    /// Ends the publication of a video.
    package func withdrawVideo(_ id: String) async throws { _ = try await send(.DELETE, Self.path("videos", id)) }

    /// The reported items that wait for a decision.
    package func moderationQueue(limit: Int) async throws -> [JSONNode] {
        try await list("/api/v1/moderation", limit: limit)
    }

    /// A reported item with its reports. The kind is `video` or `comment`.
    package func moderatedItem(_ kind: String, _ id: String) async throws -> JSONNode {
        try await get(Self.path("moderation/\(Self.escaped(kind))", id))
    }

    /// Deals with something that was reported, alone for a time.
    package func claim(_ kind: String, _ id: String) async throws -> JSONNode {
        try await send(.POST, Self.path("moderation/\(Self.escaped(kind))", id, "claim"))
    }

    /// Decides about something that was reported.
    ///
    /// - Parameters:
    ///   - decision: `restored`, `hidden` or `deleted`.
    ///   - kind: `video` or `comment`.
    ///   - id: the ID of the video or comment.
    ///   - note: what its owner is told; `nil` for nothing.
    package func decide(_ decision: String, _ kind: String, _ id: String, note: String?) async throws {
        _ = try await send(
            .POST, Self.path("moderation/\(Self.escaped(kind))", id, "decision"),
            .object([("decision", .string(decision)), ("note", .optional(note))]))
    }
}
