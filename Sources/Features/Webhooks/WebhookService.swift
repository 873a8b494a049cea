import Database
import ServiceLifecycle
import Webhooks

/// Sends events to receivers.
struct WebhookService: Service {
    let dispatcher: WebhookDispatcher
    let changes: DatabaseChanges

    func run() async throws {
        await cancelWhenGracefulShutdown { await dispatcher.run(after: changes) }
    }
}
