import Accounts
import Database
import Events
import Logging
import LogMetadata
import MediaCore
import OperatorAPI
import ServiceLifecycle
import VODLibrary

/// Fills the journal of events, and tells those who listen.
struct EventService: Service {
    let journal: EventJournal
    /// Takes the connections of those who listen; `nil` leaves them where they are.
    let crowd: EventCrowd?
    let library: VODLibrary
    let accounts: Accounts
    let changes: DatabaseChanges
    let steadiness: ClockSteadiness
    let logger: Logger

    private static let maintenanceInterval = Duration.seconds(3_600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await journal.run(after: changes) }
                if let crowd { group.addTask { await crowd.run() } }
                group.addTask { await JobEvents(journal: journal, library: library).run() }
                group.addTask {
                    await AccountEvents(journal: journal, accounts: accounts, logger: logger).run(after: changes)
                }
                group.addTask { await maintain() }
            }
        }
    }

    private func maintain() async {
        await RefreshLoop.sweep(every: Self.maintenanceInterval, while: steadiness, journal.maintain) { error in
            logger.warning("old events not deleted", metadata: [.error: "\(error)"])
        }
    }
}
