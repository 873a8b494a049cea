package import Accounts
package import Crypto
package import Database
package import Events
package import MediaCore
import Synchronization

/// Receivers of events, and what they are sent (Standard Webhooks 1.0).
///
/// Calls check the permission of their caller: an account has receivers of its own, administrators have all. Calls
/// throw `Refusal` with a sentence for the person who asked, and `SQLError` if the database does not answer.
package final class Webhooks: Sendable {
    let database: any SQLDatabase
    let journal: EventJournal
    /// The events that receivers can want.
    package let kinds: EventKinds
    let accounts: Accounts
    let sender: any WebhookSending
    let key: SymmetricKey
    let wallClock: WallClock
    let allowsPrivateAddresses: Bool
    let testCount = Mutex(0)
    let counters = Mutex(WebhookCounters())

    private init(
        _ database: any SQLDatabase, _ journal: EventJournal, _ kinds: EventKinds, _ accounts: Accounts,
        _ sender: any WebhookSending,
        _ key: SymmetricKey, _ wallClock: WallClock, _ allowsPrivateAddresses: Bool
    ) {
        (self.database, self.journal, self.kinds, self.accounts) = (database, journal, kinds, accounts)
        self.sender = sender
        (self.key, self.wallClock, self.allowsPrivateAddresses) = (key, wallClock, allowsPrivateAddresses)
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: the database of the accounts, whose audit log notes changes.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - journal: the events.
    ///   - kinds: the events that receivers can want, and who may hear them.
    ///   - accounts: who may read which events.
    ///   - sender: sends requests.
    ///   - key: 256 bits that are not in the database, the same on all servers that share it. If it changes, the
    ///     secrets of all receivers have to be rotated.
    ///   - allowsPrivateAddresses: whether receivers may be in the network of the server, and have addresses without
    ///     encryption. Only those who may import files choose addresses then.
    ///   - wallClock: tells the time.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, journal: EventJournal, kinds: EventKinds, accounts: Accounts,
        sender: any WebhookSending, key: SymmetricKey, allowsPrivateAddresses: Bool, wallClock: WallClock = .system
    ) async throws -> Webhooks {
        try await SQLMigrator(WebhookSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Webhooks(database, journal, kinds, accounts, sender, key, wallClock, allowsPrivateAddresses)
    }

    /// The numbers of receivers and of messages that wait, and what this server has sent.
    package func statistics() async throws -> WebhookStatistics {
        let (receivers, pending) = try await database.read { db in
            (try ReceiverRows.counts(db), try DeliveryRows.pendingCount(db))
        }
        return WebhookStatistics(
            enabledCount: receivers.enabled, disabledCount: receivers.disabled, pendingCount: pending,
            sent: counters.withLock { $0 })
    }

    /// Deletes what is beyond the limits of the log, previous secrets that have ended, and the receivers of tokens
    /// that have expired and of accounts that were deleted. Called once an hour.
    package func maintain() async throws {
        let now = wallClock.now()
        try await database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
            try DeliveryRows.prune(
                before: now - WebhookDelivery.logRetention, keeping: WebhookDelivery.maximumLoggedCount, db)
            try ReceiverRows.forgetPreviousSecrets(at: now, db)
            try ReceiverRows.deleteEnded(at: now, db)
            for owner in try ReceiverRows.owners(db) where try Accounts.usernames(of: [owner], db).isEmpty {
                try ReceiverRows.deleteAll(of: owner, db)
            }
        }
    }

    // MARK: Permission

    /// - Throws: `Refusal` with `notFound`, also if the caller may not know of the receiver.
    func admitted(_ receiver: WebhookReceiver?, _ caller: Caller) throws(Refusal) -> WebhookReceiver {
        let notFound = Refusal(.notFound, "there is no such webhook")
        guard let receiver else { throw notFound }
        if accounts.may(caller.principal, .administer, .system).isAllowed { return receiver }
        guard let owner = receiver.owner, mayManage(owner, caller) else { throw notFound }
        return receiver
    }

    /// A receiver is told what its owner may read, so a token needs both permissions, and must not be limited to
    /// channels.
    private func mayManage(_ owner: UserID, _ caller: Caller) -> Bool {
        [Action.read, .manage].allSatisfy { accounts.may(caller.principal, $0, .account(owner)).isAllowed }
    }

    func requireManaging(_ owner: UserID, _ caller: Caller) throws(Refusal) {
        for action in [Action.read, .manage] { try accounts.require(caller.principal, action, .account(owner)) }
    }

    func requireOwn(_ caller: Caller) async throws -> UserID {
        let member = try caller.requireMember()
        try requireManaging(member.id, caller)
        return member.id
    }
}
