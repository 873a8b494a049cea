/// Sends requests to receivers.
package protocol WebhookSending: Sendable {
    /// Sends a request and waits for the answer, at most for ``WebhookRequest/timeLimit``.
    func send(_ request: WebhookRequest) async -> WebhookOutcome
}
