package import JSONDocument
import NIOHTTP1

extension ServerClient {
    /// The messages of people who need help, newest first.
    package func supportMessages(limit: Int) async throws -> [JSONNode] {
        try await list("/api/v1/support-messages", limit: limit)
    }

    /// A message of somebody who needs help.
    package func supportMessage(_ id: String) async throws -> JSONNode {
        try await get(Self.path("support-messages", id))
    }

    /// Deletes a message of somebody who needs help.
    package func deleteSupportMessage(_ id: String) async throws {
        _ = try await send(.DELETE, Self.path("support-messages", id))
    }
}
