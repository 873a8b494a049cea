package import Accounts
package import Community
package import Crypto
package import Database
package import Forum
package import MediaCore
import Synchronization

/// Members' notifications: one row for each receiver, kind, topic and window of time.
///
/// A deed is written by `note` in the transaction in which it happens. ``tellAll()`` tells the members later, a batch
/// in each transaction, and goes on where it was after a crash. Calls throw `Refusal` with a sentence for the person
/// who asked, and `SQLError` if the database does not answer.
package final class Notifications: Sendable {
    let database: any SQLDatabase
    let accounts: Accounts
    let wallClock: WallClock
    let streams = RevisionStreams<UserID>(of: "notifications")
    /// Signs the links that end mail.
    let key: SymmetricKey
    private let currentSettings: Mutex<NotificationSettings>
    private let batchSize: Int
    /// The members who have a webhook that wants notifications.
    let webhookOwners: @Sendable (any SQLConnection) throws -> Set<UserID>
    /// An element each time that there may be something to tell.
    package let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    private init(
        _ database: any SQLDatabase, _ accounts: Accounts, _ key: SymmetricKey, _ settings: NotificationSettings,
        _ wallClock: WallClock, _ batchSize: Int,
        _ webhookOwners: @escaping @Sendable (any SQLConnection) throws -> Set<UserID>
    ) {
        (self.database, self.accounts, self.key, self.wallClock) = (database, accounts, key, wallClock)
        (self.batchSize, self.webhookOwners) = (batchSize, webhookOwners)
        currentSettings = Mutex(settings)
        (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: the database of the accounts and the community, both of which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - accounts: who may read what.
    ///   - key: signs the links that end mail; 256 bits that are not in the database, always the same.
    ///   - settings: how notifications are put together.
    ///   - wallClock: tells the time.
    ///   - batchSize: number of members who are told in one transaction; `nil` for the usual one.
    ///   - webhookOwners: the members who have a webhook that wants notifications, read once for each batch of members.
    ///     Nobody else is told by webhook, so that nothing waits that nobody takes.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, accounts: Accounts, key: SymmetricKey,
        settings: NotificationSettings = NotificationSettings(), wallClock: WallClock = .system,
        batchSize: Int? = nil,
        webhookOwners: @escaping @Sendable (any SQLConnection) throws -> Set<UserID> = { _ in [] }
    ) async throws -> Notifications {
        try await SQLMigrator(NotificationSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Notifications(database, accounts, key, settings, wallClock, batchSize ?? FanOut.batchSize, webhookOwners)
    }

    package var settings: NotificationSettings {
        get { currentSettings.withLock { $0 } }
        set { currentSettings.withLock { $0 = newValue } }
    }

    package var now: WallClockTime { wallClock.now() }

    // MARK: Noting deeds

    /// Notes a deed of the community, in the transaction that writes it.
    ///
    /// - Throws: `SQLError`
    package func note(_ deed: CommunityDeed, at time: WallClockTime, _ db: any SQLConnection) throws {
        for deed in Deed.all(of: deed) { try DeedRows.insert(deed, at: time, db) }
        // Before that, the row would not be found, and waited for the next look.
        db.afterCommit { [wakeUp] in wakeUp.yield() }
    }

    /// Notes a deed of the forum, in the transaction that writes it.
    ///
    /// - Throws: `SQLError`
    package func note(_ deed: ForumDeed, at time: WallClockTime, _ db: any SQLConnection) throws {
        guard let deed = Deed(deed) else { return }
        try DeedRows.insert(deed, at: time, db)
        db.afterCommit { [wakeUp] in wakeUp.yield() }
    }

    /// Notes that somebody has written to the operators, in the transaction that stores the message.
    ///
    /// - Throws: `SQLError`
    package func note(supportMessage id: OpaqueID, at time: WallClockTime, _ db: any SQLConnection) throws {
        try DeedRows.insert(Deed(supportMessage: id), at: time, db)
        db.afterCommit { [wakeUp] in wakeUp.yield() }
    }

    /// A step of an invitation to become contacts.
    package enum ContactStep: Sendable, Hashable {
        case invited, added, refused
    }

    /// Notes an invitation to become contacts, or the answer to it, in the transaction that stores it.
    ///
    /// - Parameters:
    ///   - step: what has happened.
    ///   - invitation: the ID of the invitation.
    ///   - actor: the member who has done it.
    ///   - receiver: the member who is told.
    ///   - time: the time of it.
    ///   - db: the connection.
    /// - Throws: `SQLError`
    package func note(
        contact step: ContactStep, _ invitation: OpaqueID, by actor: UserID, to receiver: UserID,
        at time: WallClockTime, _ db: any SQLConnection
    ) throws {
        let kind: Deed.Kind =
            switch step {
            case .invited: .contactInvitation
            case .added: .contactAdded
            case .refused: .contactRefused
            }
        try DeedRows.insert(
            Deed(
                kind: kind, identity: "\(invitation)/\(receiver)", actor: actor, receiver: receiver,
                subject: invitation.text), at: time, db)
        db.afterCommit { [wakeUp] in wakeUp.yield() }
    }

    /// Notes that the time of rentals is about to end. Members are told once, however often it is noted.
    ///
    /// - Throws: `SQLError`
    package func note(_ rentals: [EndingRental]) async throws {
        guard !rentals.isEmpty else { return }
        let now = now
        try await database.write { db in for rental in rentals { try DeedRows.insert(Deed(rental), at: now, db) } }
        wakeUp.yield()
    }

    /// A channel that has gone live, with the title that people know it by, if the server has one, and the number of
    /// the event in the journal, of which members are told once.
    package typealias LiveEvent = (channel: String, title: String?, number: Int64)

    private static let journalName = "journal"

    /// The number of the last event that was noted; `nil` if none ever was.
    package func journalPosition() async throws -> Int64? {
        try await database.read { db in try PositionRows.position(Self.journalName, db) }
    }

    /// Notes that channels have gone live, and how far the journal was read.
    ///
    /// - Throws: `SQLError`
    package func note(_ events: [LiveEvent], through number: Int64) async throws {
        let now = now
        try await database.write { db in
            for event in events {
                try DeedRows.insert(
                    Deed(
                        kind: .channelLive, identity: "\(event.number)", subject: event.channel, detail: event.title),
                    at: now, db)
            }
            try PositionRows.set(number, Self.journalName, db)
        }
        if !events.isEmpty { wakeUp.yield() }
    }

    // MARK: Telling

    /// Asks for another look at what there is to tell.
    package func wake() { wakeUp.yield() }

    /// Limit of the deeds that are looked up at once.
    private static let deedCount = 100

    /// Tells members of all deeds that wait.
    ///
    /// - Throws: `SQLError`; what was done until then stays, and the next call goes on.
    package func tellAll() async throws {
        while !Task.isCancelled {
            let now = now
            let numbers = try await database.read { db in try DeedRows.due(at: now, limit: Self.deedCount, db) }
            for number in numbers { while try await step(number) == .goesOn, !Task.isCancelled {} }
            if numbers.count < Self.deedCount { return }
        }
    }

    /// Tells the next batch of members of a deed.
    func step(_ number: Int64) async throws -> FanOut.Outcome {
        let (settings, now) = (settings, now)
        return try await database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { [self] db in
            try FanOut(
                settings: settings, accounts: accounts, permissions: accounts.permissions,
                webhookOwners: try webhookOwners(db), now: now, batchSize: batchSize
            ).step(number, db)
        }
    }

    /// Number of deeds of which not everybody was told.
    package func waitingCount() async throws -> Int64 {
        try await database.read { db in try DeedRows.pendingCount(db) }
    }

    // MARK: Removing

    /// Removes what a member has told others, before their account is deleted in the same transaction. What they were
    /// told goes with the account.
    ///
    /// - Throws: `SQLError`
    package func forget(_ user: UserID, _ db: any SQLConnection) throws { try NotificationRows.forget(user, db) }

    private static let pruneCount = 1_000

    /// Deletes what is beyond the limits. Called once an hour.
    ///
    /// - Throws: `SQLError`
    package func maintain() async throws {
        let end = now - NotificationSettings.retention
        var count: Int
        repeat {
            count = try await database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
                try NotificationRows.prune(before: end, limit: Self.pruneCount, db)
                    + DeedRows.prune(before: end, limit: Self.pruneCount, db)
            }
        } while count > 0 && !Task.isCancelled
        let crowded = try await database.read(within: SQLTimeLimit.maintenance) { db in
            try NotificationRows.crowded(limit: NotificationSettings.maximumCount, db)
        }
        for user in crowded where !Task.isCancelled {
            try await database.write { db in
                try NotificationRows.prune(user, keeping: NotificationSettings.maximumCount, db)
            }
        }
    }
}
