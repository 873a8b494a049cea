import Database
import ServiceLifecycle

/// Watches the database for the services that follow it.
struct DatabaseWatchService: Service {
    let changes: DatabaseChanges

    func run() async throws { await cancelWhenGracefulShutdown { await changes.run() } }
}
