package import Accounts
package import Database
package import MediaCore
import Synchronization

/// The members' community: competitions with their days, videos that are published in them, likes, comments, follows
/// and reports.
///
/// A unique row for each fact is the truth. Counters change by SQL arithmetic in the transaction that writes the fact,
/// so that a recount finds the same at any time. Calls throw `Refusal` with a sentence for the person who
/// asked, and `SQLError` if the database does not answer.
package final class Community: Sendable {
    let database: any SQLDatabase
    let wallClock: WallClock
    let viewBuffer = ViewBuffer()
    private let currentSettings: Mutex<CommunitySettings>
    private let observer = Mutex<DeedObserver?>(nil)
    /// The items of other domains that members can report.
    private let items = Mutex<[ReportedKind: ReportableItems]>([:])

    private init(_ database: any SQLDatabase, _ settings: CommunitySettings, _ wallClock: WallClock) {
        (self.database, self.wallClock) = (database, wallClock)
        currentSettings = Mutex(settings)
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: the database of the catalogue and the accounts, both of which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - settings: what the operator has decided.
    ///   - wallClock: tells the times of members' texts, and the days of competitions.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, settings: CommunitySettings = CommunitySettings(),
        wallClock: WallClock = .system
    ) async throws -> Community {
        try await SQLMigrator(CommunitySchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Community(database, settings, wallClock)
    }

    /// The operator's settings; a change takes effect with the next request.
    package var settings: CommunitySettings {
        get { currentSettings.withLock { $0 } }
        set { currentSettings.withLock { $0 = newValue } }
    }

    /// The time by which states are judged.
    package var now: WallClockTime { wallClock.now() }

    /// Sets who is told of deeds, such as to notify others later.
    package func observeDeeds(_ observer: @escaping DeedObserver) { self.observer.withLock { $0 = observer } }

    /// Lets members report the items of another domain.
    package func add(_ items: ReportableItems, as kind: ReportedKind) { self.items.withLock { $0[kind] = items } }

    // MARK: For the calls in the other files

    /// The items of a kind that is not the community's own; `nil` on a server without its domain.
    func items(_ kind: ReportedKind) -> ReportableItems? { items.withLock { $0[kind] } }

    /// Tells the observer of a deed, in the transaction that writes it.
    func tell(_ deed: CommunityDeed, at time: WallClockTime, _ db: any SQLConnection) throws {
        try observer.withLock { $0 }?(deed, time, db)
    }

    /// The member who sends a request.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package static func member(_ caller: Caller) throws(Refusal) -> Member {
        guard let member = caller.principal.member else {
            throw Refusal(.loginNeeded, "this needs a logged-in user")
        }
        return member
    }
}
