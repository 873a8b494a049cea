import Accounts
package import Community
package import Database
package import MediaCore
import Synchronization

/// The members' forum: categories, topics with their comments, what members follow, and the rules.
///
/// A unique row for each fact is the truth; counters change by SQL arithmetic in the transaction that writes the fact.
/// Who may read the topics about a channel or title is for the caller of this to ask, as is whether somebody may
/// comment or moderate. Calls throw `Refusal` with a sentence for the person who asked, and `SQLError` if the
/// database does not answer.
package final class Forum: Sendable {
    let database: any SQLDatabase
    let wallClock: WallClock
    /// Words that are not allowed, blocked members, and the queue of the moderators.
    let community: Community
    private let observers = Mutex<[Observer]>([])

    /// Is told of each deed in the transaction that writes it. An error undoes the transaction.
    package typealias Observer =
        @Sendable (_ deed: ForumDeed, _ time: WallClockTime, _ db: any SQLConnection) throws -> Void

    private init(_ database: any SQLDatabase, _ community: Community, _ wallClock: WallClock) {
        (self.database, self.community, self.wallClock) = (database, community, wallClock)
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: the database of the accounts and the community, both of which were opened before.
    ///   - community: the community, whose settings and moderators count here, too.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the times of members' texts.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, community: Community, program: String, wallClock: WallClock = .system
    ) async throws -> Forum {
        try await SQLMigrator(ForumSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Forum(database, community, wallClock)
    }

    /// The time by which states are judged.
    package var now: WallClockTime { wallClock.now() }

    /// Adds an observer of deeds, such as to notify members later.
    package func observe(_ observer: @escaping Observer) { observers.withLock { $0.append(observer) } }

    /// Tells the observers of a deed, in the transaction that writes it.
    func tell(_ deed: ForumDeed, at time: WallClockTime, _ db: any SQLConnection) throws {
        for observer in observers.withLock({ $0 }) { try observer(deed, time, db) }
    }

    /// - Throws: `Refusal` with `invalidField` for a word that this server does not allow.
    func refuseHeldWords(in text: String, _ field: String) throws(Refusal) {
        guard community.settings.heldWords.areIn(text) else { return }
        throw Refusal(
            .invalidField, "the field `\(field)` contains a word that this server does not allow", field: field)
    }
}
