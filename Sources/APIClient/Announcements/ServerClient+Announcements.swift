package import JSONDocument
import NIOHTTP1

extension ServerClient {
    private static let announcements = "/api/v1/announcements"

    /// All announcements, newest first.
    package func announcements() async throws -> [JSONNode] { try await list(Self.announcements) }

    /// The announcements that the caller is shown at the moment.
    package func currentAnnouncements() async throws -> [JSONNode] { try await list("\(Self.announcements)/current") }

    package func announcement(_ id: String) async throws -> JSONNode { try await get(Self.path("announcements", id)) }

    /// Writes an announcement.
    package func createAnnouncement(_ fields: [JSONText.Field]) async throws -> JSONNode {
        try await send(.POST, Self.announcements, .object(fields))
    }

    /// Changes fields of an announcement.
    package func changeAnnouncement(_ id: String, _ fields: [JSONText.Field]) async throws -> JSONNode {
        let path = Self.path("announcements", id)
        return try await change(path) { try await send(.PATCH, path, .object(fields), ifMatch: $0) }
    }

    package func deleteAnnouncement(_ id: String) async throws {
        _ = try await send(.DELETE, Self.path("announcements", id))
    }
}
