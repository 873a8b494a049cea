package import Accounts
import Catalogue
package import Database
package import MediaCore
import Synchronization

/// The video club: members rent titles for credits.
///
/// Credits are a ledger in which every movement has two lines that sum to zero, and which is only ever added to. What a
/// request changes, its movement and its key are written in one transaction. Calls throw `Refusal` with a sentence
/// for the person who asked, and `SQLError` if the database does not answer.
///
/// Several servers can share a database: what one has changed holds for the others within a second, because each calls
/// ``refresh()`` after every change of the database.
package final class VideoClub: Sendable {
    let database: any SQLDatabase
    let wallClock: WallClock
    /// The entitlements that requests for media check.
    package let entitlements = Entitlements()
    /// The events on this server, for the metrics.
    package let statistics = ClubStatistics()
    /// The players of each rental at the moment.
    package let players: RentalPlayers
    private let currentSettings: Mutex<ClubSettings>
    /// The version of the terms that the entitlements have; `nil` before the first.
    private let version = Mutex<Version?>(nil)

    /// Whether gifts may be ended, and copies deleted, because of the time.
    let steadiness: ClockSteadiness
    /// The time up to which rentals whose time is over have been counted.
    private let countedUntil: Mutex<WallClockTime>
    /// The row number up to which the sweep has compared lists with terms and votes.
    private let comparedTitle = Mutex<Int64>(0)

    /// The versions for which the titles in the entitlements were read.
    private struct Version: Hashable {
        var terms: Int64
        var trailers: ClubSettings.Trailers
    }

    /// The time between two calls of ``sweep()``.
    package static let sweepInterval = Duration.seconds(30)
    /// Limit of the rentals that one transaction of a sweep refunds.
    static let sweepBatchSize = 100
    /// Number of titles that a sweep compares with what lists show of them.
    private static let comparedTitleCount = 200

    private init(
        _ database: any SQLDatabase, _ settings: ClubSettings, _ wallClock: WallClock, _ steadiness: ClockSteadiness,
        _ players: RentalPlayers
    ) {
        (self.database, self.wallClock, self.steadiness, self.players) = (database, wallClock, steadiness, players)
        currentSettings = Mutex(settings)
        countedUntil = Mutex(wallClock.now())
    }

    /// Migrates the database to the current schema, and reads what decides about media.
    ///
    /// - Parameters:
    ///   - database: the database of the catalogue and the accounts, both of which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - settings: what the operator has decided.
    ///   - wallClock: tells the times of movements and rentals.
    ///   - steadiness: whether gifts may be ended, and copies deleted, because of the time.
    ///   - players: counts what plays with each rental.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, settings: ClubSettings = ClubSettings(),
        wallClock: WallClock = .system, steadiness: ClockSteadiness = .assumed,
        players: RentalPlayers = RentalPlayers()
    ) async throws -> VideoClub {
        try await SQLMigrator(ClubSchema.schema, program: program, wallClock: wallClock).migrate(database)
        let club = VideoClub(database, settings, wallClock, steadiness, players)
        try await club.refresh()
        return club
    }

    /// The operator's settings; a change takes effect with the next request.
    package var settings: ClubSettings {
        get { currentSettings.withLock { $0 } }
        set { currentSettings.withLock { $0 = newValue } }
    }

    /// Titles that were added since then are new.
    package var newSince: WallClockTime { wallClock.now() - settings.timeNew }
    /// The replacement for ``newSince`` on a server without a video club: every title is new.
    package static let alwaysNew = WallClockTime(millisecondsSince1970: 0)

    /// The time until which somebody may go on who has begun to watch during a rental; `nil` for a rental that is not
    /// activated.
    package func viewingEnd(of rental: Rental) -> WallClockTime? {
        guard settings.atEnd == .letTheFilmEnd, let duration = rental.titleDuration else { return rental.endsAt }
        return rental.endsAt.map { $0 + min(max(duration, .zero), ClubSettings.maximumTimeAfterEnd) }
    }

    /// The time by which rentals are judged.
    package var now: WallClockTime { wallClock.now() }

    /// Reads what has changed about which titles need a rental and which rentals have ended early.
    ///
    /// - Throws: `SQLError` if the database does not answer; then what it said last goes on holding.
    package func refresh() async throws {
        let (known, now, trailers) = (version.withLock { $0 }, wallClock.now(), settings.trailers)
        let timeAfterEnd = settings.atEnd == .stop ? Duration.zero : ClubSettings.maximumTimeAfterEnd
        let question = entitlements.beginQuestion()
        let (found, titles, endedEarly) = try await database.read { db in
            let version = Version(terms: try TermsRows.version(db), trailers: trailers)
            return (
                version,
                version == known
                    ? nil
                    : Entitlements.Titles(
                        withRental: try TermsRows.titlesWithRental(db),
                        forMembers: trailers == .members ? try TermsRows.trailers(db) : []),
                try RentalRows.endedEarly(at: now, timeAfterEnd: timeAfterEnd, db)
            )
        }
        version.withLock { version in
            // Another call may have read a later version meanwhile.
            let isLater = version.map { $0.terms < found.terms || $0.trailers != found.trailers } ?? true
            entitlements.replace(titles: isLater ? titles : nil, endedEarly: endedEarly, askedBy: question)
            if isLater { version = found }
        }
    }

    /// Gives back what was paid for titles that were deleted, forgets their terms, ends gifts and offline copies whose
    /// time is over, and compares some titles with what lists show of them. Called at least once a minute.
    ///
    /// After a step of the time of day (`ClockSteadiness`), gifts and copies wait, and nothing is given back. Rentals
    /// need no sweep: their state follows from the time.
    ///
    /// - Throws: `SQLError`
    package func sweep() async throws {
        players.sweep()
        try await database.write { db in try TermsRows.deleteOrphans(db) }
        try await compareLists()
        if steadiness.isSteady() { try await sweepByTime(at: wallClock.now()) }
    }

    private func sweepByTime(at now: WallClockTime) async throws {
        try await countExpired(at: now)
        var count: Int
        repeat {
            let rentals = try await database.write { db in
                let rentals = try RentalRows.withoutTitle(at: now, limit: Self.sweepBatchSize, db)
                for rental in rentals { try Self.refund(rental, .titleRemoved, by: nil, note: "", at: now, db) }
                return rentals
            }
            for rental in rentals { noteRefund(rental) }
            count = rentals.count
        } while count == Self.sweepBatchSize
        repeat {
            count = try await database.write { db in
                try CopyRows.deleteEnded(at: now, limit: Self.sweepBatchSize, db)
            }
        } while count == Self.sweepBatchSize
        try await expireGifts(at: now)
    }

    /// Counts rentals whose time has ended since the last sweep, for the metrics.
    private func countExpired(at now: WallClockTime) async throws {
        let last = countedUntil.withLock { $0 }
        guard now > last else { return }
        let count = try await database.read { db in try RentalRows.expiredCount(after: last, until: now, db) }
        countedUntil.withLock { $0 = max($0, now) }
        statistics.add(.expired, Int(clamping: count))
    }

    private func compareLists() async throws {
        let first = comparedTitle.withLock { $0 }
        let last = try await database.write { db in
            try ListingRows.compare(after: first, limit: Self.comparedTitleCount, db)
        }
        comparedTitle.withLock { $0 = last ?? 0 }
    }

    /// Ends gifts whose time is over, each member's in a transaction of its own. An account whose lines are damaged
    /// does not keep the others from it.
    private func expireGifts(at now: WallClockTime) async throws {
        var (last, failure) = ("", (any Error)?.none)
        var accounts: [String]
        repeat {
            accounts = try await database.read { [last] db in
                try CreditLotRows.accountsWithExpired(at: now, after: last, limit: Self.sweepBatchSize, db)
            }
            for text in accounts {
                guard let account = CreditAccount(ofMember: text) else { continue }
                do {
                    statistics.add(
                        try await database.write { db in try LedgerRows.expire(account, at: now, db) }, .expired)
                } catch {
                    failure = failure ?? error
                }
            }
            last = accounts.last ?? ""
        } while accounts.count == Self.sweepBatchSize
        if let failure { throw failure }
    }

    // MARK: For the calls in the other files

    /// Runs a transaction once more if a unique index has refused it: another request with the same key was faster, and
    /// its result is found now.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.write(body)
        } catch let error as SQLError where error.code == .constraint {
            return try await database.write(body)
        }
    }

    /// - Throws: `Refusal` with `notFound`.
    static func title(_ id: String, _ db: any SQLConnection) throws -> TitleRows.Reference {
        guard let title = try TitleRows.title(id: id, db) else {
            throw Refusal(.notFound, "there is no such title")
        }
        return title
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
