import Accounts
import Database
import Events
import Logging
import WebAPI
import ServiceLifecycle
import Workflows

/// Fills the journal of events, and tells those who listen.
struct EventService: Service {
    let journal: EventJournal
    /// Takes the connections of those who listen; `nil` leaves them where they are.
    let crowd: EventCrowd?
    let library: any LibraryJobControl
    let accounts: Accounts
    let changes: DatabaseChanges
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await journal.run(after: changes) }
                if let crowd { group.addTask { await crowd.run() } }
                group.addTask { await JobEvents(journal: journal, library: library).run() }
                group.addTask {
                    await AccountEvents(journal: journal, accounts: accounts, logger: logger).run(after: changes)
                }
            }
        }
    }
}
