import Database
import Logging
import LogMetadata
import ServiceLifecycle
import Webhooks

/// Sends events to receivers, and deletes what is old.
struct WebhookService: Service {
    let webhooks: Webhooks
    let dispatcher: WebhookDispatcher
    let changes: DatabaseChanges
    let logger: Logger

    private static let maintenanceInterval = Duration.seconds(3_600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await dispatcher.run(after: changes) }
                group.addTask { await maintain() }
            }
        }
    }

    private func maintain() async {
        while (try? await Task.sleep(for: Self.maintenanceInterval)) != nil {
            do {
                try await webhooks.maintain()
            } catch {
                logger.warning("old webhook deliveries not deleted", metadata: [.error: "\(error)"])
            }
        }
    }
}
