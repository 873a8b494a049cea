package import JSONDocument
import NIOHTTP1

extension ServerClient {
    private static let notificationsPath = "/api/v1/me/notifications"

    /// The notifications of the session's owner, the latest first.
    package func notifications(limit: Int) async throws -> [JSONNode] {
        try await list(Self.notificationsPath, limit: limit)
    }

    /// Marks notifications as read, and returns how many are still unread.
    ///
    /// - Parameters:
    ///   - id: a notification; `nil` for all.
    ///   - through: whether all that changed before it are marked, too.
    package func markNotificationsRead(_ id: String?, through: Bool) async throws -> JSONNode {
        let fields = id.map { [(through ? "through" : "id", JSONText.string($0))] } ?? []
        return try await send(.POST, "\(Self.notificationsPath)/read", .object(fields))
    }

    package func notificationPreferences() async throws -> JSONNode {
        try await get("\(Self.notificationsPath)/preferences")
    }

    /// Changes by which ways the owner of the session is told, and returns the result.
    package func changeNotificationPreferences(_ changes: JSONText) async throws -> JSONNode {
        try await send(.PATCH, "\(Self.notificationsPath)/preferences", changes)
    }
}
