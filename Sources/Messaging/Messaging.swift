import Accounts
package import Database
package import MediaCore
import Synchronization

/// Contacts of members, and the messages that they send each other, in conversations of two and in groups.
///
/// Everything is asked for by a member of the conversation, and found through their membership only: for everybody else
/// a conversation does not exist. Calls throw `Refusal` with a sentence for the person who asked, and `SQLError` if the
/// database does not answer.
package final class Messaging: Sendable {
    let database: any SQLDatabase
    let wallClock: WallClock
    let streams = RevisionStreams<UserID>(of: "messages")
    /// Searches by e-mail address and telephone number, by member.
    let finds: Mutex<AttemptLimiter<UserID>>
    let uptime: @Sendable () -> Duration
    private let observer = Mutex<Observer?>(nil)

    /// Is told of each deed in the transaction that writes it. An error undoes the transaction.
    package typealias Observer =
        @Sendable (_ deed: MessagingDeed, _ time: WallClockTime, _ db: any SQLConnection) throws -> Void

    private init(_ database: any SQLDatabase, _ wallClock: WallClock, _ uptime: @escaping @Sendable () -> Duration) {
        (self.database, self.wallClock, self.uptime) = (database, wallClock, uptime)
        finds = Mutex(
            AttemptLimiter(
                AttemptLimits(maximumCount: MessagingLimits.findCount, window: MessagingLimits.findWindow)))
    }

    /// - Parameters:
    ///   - database: the database of the accounts and the community, both of which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the times of messages.
    ///   - uptime: the time since some moment, for limits.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, wallClock: WallClock = .system,
        uptime: @escaping @Sendable () -> Duration = ContinuousClock().elapsed()
    ) async throws -> Messaging {
        try await SQLMigrator(MessagingSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Messaging(database, wallClock, uptime)
    }

    package var now: WallClockTime { wallClock.now() }

    /// Sets who is told of deeds, such as to notify members later.
    package func observeDeeds(_ observer: @escaping Observer) { self.observer.withLock { $0 = observer } }

    // MARK: For the calls in the other files

    /// Tells the observer of a deed, in the transaction that writes it.
    func tell(_ deed: MessagingDeed, at time: WallClockTime, _ db: any SQLConnection) throws {
        try observer.withLock { $0 }?(deed, time, db)
    }

    static func member(named name: String, _ db: any SQLConnection) throws -> UserID {
        guard let user = try AccountReferences.active(named: name, db) else {
            throw Refusal(.notFound, "there is no such member")
        }
        return user
    }

    /// Notes in a transaction that something has changed for members, and tells their devices once it is committed.
    func touch(_ users: [UserID], isActivity: Bool = false, _ db: any SQLConnection) throws {
        let revisions = try MessagingMemberRows.raise(users, isActivity: isActivity, db)
        db.afterCommit { [weak self] in self?.streams.tell(revisions) }
    }

    /// Notes in a transaction that something has changed in a conversation.
    ///
    /// - Parameters:
    ///   - conversation: the number of the conversation.
    ///   - user: the only member who is told; `nil` for all.
    ///   - isActivity: whether it is something new, with which the conversation comes to the beginning of lists.
    ///   - db: the connection.
    func touch(
        _ conversation: Int64, only user: UserID? = nil, isActivity: Bool = false, _ db: any SQLConnection
    ) throws {
        let users = try user.map { [$0] } ?? ConversationMemberRows.users(of: conversation, db)
        try touch(users, isActivity: isActivity, db)
        try ConversationMemberRows.touch(conversation, user: user, isActivity: isActivity, db)
    }

    /// A conversation of a member, which others who write to it wait for until the end of the transaction.
    ///
    /// - Throws: `Refusal` with `notFound` for everybody who does not belong to it.
    func locked(_ id: OpaqueID, of member: UserID, _ db: any SQLConnection) throws -> Conversation {
        let found = try Self.required(id, of: member, db)
        try ConversationRows.lock(found.number, db)
        // It may have changed until the lock was granted.
        return db.dialect.rowLock.isEmpty ? found : try Self.required(id, of: member, db)
    }

    static func required(_ id: OpaqueID, of member: UserID, _ db: any SQLConnection) throws -> Conversation {
        guard let conversation = try ConversationRows.conversation(id, of: member, db) else {
            throw Refusal(.notFound, "there is no such conversation")
        }
        return conversation
    }
}
