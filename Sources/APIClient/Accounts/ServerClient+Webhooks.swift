package import JSONDocument
import NIOHTTP1

extension ServerClient {
    /// Time limit of a test, which waits for the receiver.
    private static let webhookTestTimeout = Duration.seconds(25)

    /// Adds a webhook, and returns it with its secret.
    ///
    /// - Parameters:
    ///   - url: the address that is sent events.
    ///   - description: what it is for; `nil` for nothing.
    ///   - types: names or groups of types; empty for all.
    ///   - resource: a kind and a name, such as `channel/canalA`; `nil` for all.
    ///   - user: its owner; `nil` for the caller.
    package func createWebhook(
        _ url: String, description: String?, types: [String], resource: String?, for user: String?
    ) async throws -> JSONNode {
        try await send(
            .POST, "/api/v1/webhooks",
            .object([
                ("url", .string(url)), ("description", .optional(description)),
                ("types", .array(types.map(JSONText.string))), ("resource", .optional(resource)),
                ("user", .optional(user)),
            ]))
    }

    /// A webhook, with the number of messages that wait for it.
    package func webhook(_ id: String) async throws -> JSONNode { try await get(Self.path("webhooks", id)) }

    /// Changes fields of a webhook.
    package func changeWebhook(_ id: String, _ fields: [JSONText.Field]) async throws -> JSONNode {
        try await patch(Self.path("webhooks", id), .object(fields))
    }

    /// Removes a webhook with its log.
    package func removeWebhook(_ id: String) async throws { _ = try await send(.DELETE, Self.path("webhooks", id)) }

    /// Replaces the secret of a webhook, and returns the webhook with the new one.
    ///
    /// - Parameters:
    ///   - id: the webhook.
    ///   - seconds: the time for which the secret before goes on to sign; `nil` for a day.
    package func rotateWebhookSecret(_ id: String, keepingPreviousFor seconds: Int?) async throws -> JSONNode {
        try await send(
            .POST, Self.path("webhooks", id, "secret"), .object([("keepPreviousFor", .optional(seconds))]))
    }

    /// Sends a test to a webhook, and returns what has come of it.
    package func testWebhook(_ id: String) async throws -> JSONNode {
        try await send(.POST, Self.path("webhooks", id, "test"), timeout: Self.webhookTestTimeout)
    }

    /// The newest deliveries of a webhook.
    ///
    /// - Parameters:
    ///   - id: the webhook.
    ///   - state: `nil` for all.
    ///   - limit: maximum number of them.
    package func webhookDeliveries(of id: String, state: String?, limit: Int) async throws -> [JSONNode] {
        let query = state.map { "?state=\(Self.escaped($0))" } ?? ""
        return try await list("\(Self.path("webhooks", id, "deliveries"))\(query)", limit: limit)
    }

    /// Sends a message again, and returns the new delivery.
    package func replayWebhookDelivery(_ delivery: String, of id: String) async throws -> JSONNode {
        try await send(.POST, "\(Self.path("webhooks", id, "deliveries"))/\(Self.escaped(delivery))/replay")
    }
}
