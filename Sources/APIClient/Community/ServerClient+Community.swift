package import APIContract
package import APIDeclarations

extension ServerClient {
    /// Published videos, newest first.
    ///
    /// - Parameters:
    ///   - words: beginnings of words that they have; `nil` for all.
    ///   - owner: the username of their owner; `nil` for all.
    ///   - limit: number of videos.
    package func videos(
        matching words: String?, of owner: String?, limit: Int
    ) async throws -> [APIObject<VideoFields>] {
        try await items(CommunityAPI.listVideos, query: [("q", words), ("owner", owner)], limit: limit)
    }

    /// A published video.
    package func video(_ id: String) async throws -> APIObject<VideoFields> {
        try await send(CommunityAPI.getVideo, id)
    }

    /// Publishes a title.
    ///
    /// - Parameter new: the title and what is said about it.
    package func publish(_ new: APIObject<NewVideoFields>) async throws -> APIObject<VideoFields> {
        try await send(CommunityAPI.publishVideo, body: new)
    }

    /// Changes what is said about a video, by a JSON merge patch.
    package func changeVideo(
        _ id: String, _ change: APIObject<VideoChangeFields>
    ) async throws -> APIObject<VideoFields> {
        try await self.change(CommunityAPI.changeVideo, id, body: change)
    }

    /// Ends the publication of a video.
    package func withdrawVideo(_ id: String) async throws { try await send(CommunityAPI.deleteVideo, id) }

    /// The reported items that wait for a decision.
    package func moderationQueue(limit: Int) async throws -> [APIObject<ModeratedItemFields>] {
        try await items(CommunityAPI.listModeratedItems, limit: limit)
    }

    /// A reported item with its reports. The kind is `video` or `comment`.
    package func moderatedItem(_ kind: String, _ id: String) async throws -> APIObject<ModeratedItemFields> {
        try await send(CommunityAPI.getModeratedItem, kind, id)
    }

    /// Deals with something that was reported, alone for a time.
    package func claim(_ kind: String, _ id: String) async throws -> APIObject<ModeratedItemFields> {
        try await send(CommunityAPI.claimModeratedItem, kind, id)
    }

    /// Decides about something that was reported.
    ///
    /// - Parameters:
    ///   - decision: `restored`, `hidden` or `deleted`.
    ///   - kind: `video` or `comment`.
    ///   - id: the ID of the video or comment.
    ///   - note: what its owner is told; `nil` for nothing.
    package func decide(_ decision: String, _ kind: String, _ id: String, note: String?) async throws {
        let outcome = ModerationDecisionFields.request { [$0.decision(decision), $0.note(note)] }
        try await send(CommunityAPI.decideModeratedItem, kind, id, body: outcome)
    }
}
