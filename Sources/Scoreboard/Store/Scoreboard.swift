import Accounts
package import Database
package import MediaCore
import Synchronization

/// Players, matches and their scores. Whether somebody may keep the score of a channel is for the caller to ask.
///
/// The log of a match in the database is the truth. An event is acknowledged when it is committed.
///
/// Calls throw `Refusal` with a sentence for the person who asked, and `SQLError` if the database does not answer.
package final class Scoreboard: Sendable {
    /// Limit of the matches whose logs are kept in memory.
    static let maximumCachedCount = 64
    /// Limit of the matches that have not ended on one channel.
    package static let maximumOpenCount = 20
    /// The time for which a board still shows a match that has ended.
    package static let resultTime = Duration.seconds(120)

    let database: any SQLDatabase
    private let wallClock: WallClock
    private let observer = Mutex<Observer?>(nil)
    private let listeners = Mutex<[Listener]>([])
    private let displayObserver = Mutex<DisplayObserver?>(nil)
    /// Matches by ID, as they were when they were last read.
    let cache = Mutex<[OpaqueID: ScoreMatch]>([:])

    /// Is told of each match whose score has changed, in the transaction that stores it.
    package typealias Observer = @Sendable (ScoreMatch, any SQLConnection) throws -> Void

    /// Is told of each match with the entries that were added to it, once they are stored.
    package typealias Listener = @Sendable (ScoreMatch, [MatchEntry]) -> Void

    /// Is told of each channel whose board shows another drawing, or none any more, in the transaction that stores it.
    package typealias DisplayObserver = @Sendable (_ channel: String, any SQLConnection) throws -> Void

    private init(_ database: any SQLDatabase, _ wallClock: WallClock) {
        (self.database, self.wallClock) = (database, wallClock)
    }

    /// - Parameters:
    ///   - database: the database of the accounts, which were opened before.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the time.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, wallClock: WallClock = .system
    ) async throws -> Scoreboard {
        try await SQLMigrator(ScoreboardSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Scoreboard(database, wallClock)
    }

    package var now: WallClockTime { wallClock.now() }

    /// The day of today in UTC, by which ages are computed.
    package var today: CivilDate {
        CivilDate(daysSince1970: now.secondsSince1970.dividingFloor(by: 86_400))
    }

    /// Sets who is told of changes, such as the journal of events.
    package func observe(_ observer: @escaping Observer) { self.observer.withLock { $0 = observer } }

    /// Sets who is told of drawings on the boards of channels.
    package func observeDisplays(_ observer: @escaping DisplayObserver) {
        displayObserver.withLock { $0 = observer }
    }

    func tell(ofDrawingOn channel: String, _ db: any SQLConnection) throws {
        try displayObserver.withLock { $0 }?(channel, db)
    }

    /// Adds somebody who is told of entries that are stored, such as the stream of the channel.
    package func listen(_ listener: @escaping Listener) { listeners.withLock { $0.append(listener) } }

    func tell(_ match: ScoreMatch, of entries: [MatchEntry]) {
        guard !entries.isEmpty else { return }
        for listener in listeners.withLock({ $0 }) { listener(match, entries) }
    }

    func tell(_ match: ScoreMatch, _ db: any SQLConnection) throws {
        try observer.withLock { $0 }?(match, db)
    }

    /// Keeps a match in memory, and forgets another one if there are too many.
    func remember(_ match: ScoreMatch) {
        cache.withLock { cache in
            if cache[match.id] == nil, cache.count >= Self.maximumCachedCount, let first = cache.keys.first {
                cache[first] = nil
            }
            // A slower transaction must not bring an older log back.
            if let known = cache[match.id], known.log.lastSequence > match.log.lastSequence { return }
            cache[match.id] = match
        }
    }

    func forget(_ id: OpaqueID) { cache.withLock { $0[id] = nil } }
}
