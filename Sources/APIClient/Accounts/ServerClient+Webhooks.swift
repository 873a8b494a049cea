package import APIContract
package import APIDeclarations

extension ServerClient {
    /// Time limit of a test, which waits for the receiver.
    private static let webhookTestTimeout = Duration.seconds(25)

    /// The webhooks, newest first.
    package func webhooks() async throws -> [APIObject<WebhookFields>] {
        try await items(WebhookAPI.listWebhooks)
    }

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
    ) async throws -> APIObject<WebhookFields> {
        try await send(
            WebhookAPI.createWebhook,
            body: NewWebhookFields.request { new in
                [
                    new.url(WebhookURL(url)), new.description(description), new.types(types),
                    new.resource(WebhookResource(resource)), new.user(user),
                ]
            })
    }

    /// A webhook, with the number of messages that wait for it.
    package func webhook(_ id: String) async throws -> APIObject<WebhookFields> {
        try await send(WebhookAPI.getWebhook, id)
    }

    /// Changes fields of a webhook.
    package func changeWebhook(
        _ id: String, _ change: APIObject<WebhookChangeFields>
    ) async throws -> APIObject<WebhookFields> {
        try await self.change(WebhookAPI.changeWebhook, id, body: change)
    }

    /// Removes a webhook with its log.
    package func removeWebhook(_ id: String) async throws { try await send(WebhookAPI.deleteWebhook, id) }

    /// Replaces the secret of a webhook, and returns the webhook with the new one.
    ///
    /// - Parameters:
    ///   - id: the webhook.
    ///   - seconds: the time for which the secret before goes on to sign; `nil` for a day.
    package func rotateWebhookSecret(
        _ id: String, keepingPreviousFor seconds: Int?
    ) async throws -> APIObject<WebhookFields> {
        try await send(
            WebhookAPI.replaceWebhookSecret, id,
            body: SecretReplacementFields.request { [$0.keepPreviousFor(seconds)] })
    }

    /// Sends a test to a webhook, and returns what has come of it.
    package func testWebhook(_ id: String) async throws -> APIObject<WebhookDeliveryFields> {
        try await send(WebhookAPI.testWebhook, id, timeout: Self.webhookTestTimeout)
    }

    /// The newest deliveries of a webhook.
    ///
    /// - Parameters:
    ///   - id: the webhook.
    ///   - state: `nil` for all.
    ///   - limit: maximum number of them.
    package func webhookDeliveries(
        of id: String, state: String?, limit: Int
    ) async throws -> [APIObject<WebhookDeliveryFields>] {
        try await items(WebhookAPI.listWebhookDeliveries, id, query: [("state", state)], limit: limit)
    }

    /// Sends a message again, and returns the new delivery.
    package func replayWebhookDelivery(
        _ delivery: String, of id: String
    ) async throws -> APIObject<WebhookDeliveryFields> {
        try await send(WebhookAPI.replayWebhookDelivery, id, delivery)
    }
}
