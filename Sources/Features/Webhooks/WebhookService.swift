import Database
import Logging
import LogMetadata
import MediaCore
import ServiceLifecycle
import Webhooks

/// Sends events to receivers, and deletes what is old.
struct WebhookService: Service {
    let webhooks: Webhooks
    let dispatcher: WebhookDispatcher
    let changes: DatabaseChanges
    let steadiness: ClockSteadiness
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
        await RefreshLoop.sweep(every: Self.maintenanceInterval, while: steadiness, webhooks.maintain) { error in
            logger.warning("old webhook deliveries not deleted", metadata: [.error: "\(error)"])
        }
    }
}
