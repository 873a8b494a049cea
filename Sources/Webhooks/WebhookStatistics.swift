/// Numbers of all receivers, and of this server's messages.
package struct WebhookStatistics: Sendable, Hashable {
    package var enabledCount: Int
    package var disabledCount: Int
    /// The messages that wait.
    package var pendingCount: Int
    package var sent: WebhookCounters
}
