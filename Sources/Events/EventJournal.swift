package import Database
package import Logging
import LogMetadata
package import MediaCore
import Synchronization

/// The journal of events, in the order in which everybody learns of them: a bounded table, and its listeners.
///
/// Events are noted without waiting and written in batches; nobody is told of an event before it is in the database, so
/// that a listener that comes back after a restart can name the last one it has seen. Several servers can share a
/// database: each tells its listeners of the events of all.
///
/// Before anybody is told of an event, the server's copies of the database's state (`StateCopies`) are at least as new
/// as the event.
package final class EventJournal: Sendable {
    /// Limit of the events that wait to be written, while the database does not answer.
    package static let maximumQueuedCount = 4_096
    /// Events that one transaction writes or reads.
    static let batchSize = 256
    /// Number of events in memory, for listeners that come back.
    static let recentCount = 1_024
    /// Limits of the journal.
    static let keptCount: Int64 = 50_000
    static let keptTime = Duration.seconds(7 * 86_400)
    package static let maximumListenerCount = 10_000
    package static let maximumListenerCountPerClient = 256
    /// Limit of the messages that wait for a listener.
    static let maximumBufferedCount = 256
    /// Time after which events of other servers are looked for although nothing in the database has changed.
    static let longestPause = Duration.seconds(30)
    /// Interval of heartbeats: proxies close a silent connection after 30 s or more.
    package static let heartbeatInterval = Duration.seconds(15)

    private struct Queue {
        var waiting: [NewEvent] = []
        /// Events that were lost since the start, and those of them that the log has named.
        var droppedCount = 0
        var loggedDropCount = 0
        var isAway = false
    }

    private let database: any SQLDatabase
    /// The copies of the database's state that followers decide by.
    package let copies: StateCopies
    private let wallClock: WallClock
    private let logger: Logger
    private let queue = Mutex(Queue())
    private let listeners = Mutex(EventListeners())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    private init(_ database: any SQLDatabase, _ copies: StateCopies, _ wallClock: WallClock, _ logger: Logger) {
        (self.database, self.copies, self.wallClock, self.logger) = (database, copies, wallClock, logger)
        (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Migrates the database to the current schema, and reads the newest events.
    ///
    /// - Parameters:
    ///   - database: the database, which several servers can share.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - copies: the copies by which followers decide; they are brought up to date before anybody is told of an
    ///     event.
    ///   - wallClock: tells the time.
    ///   - logger: receives warnings about events that were lost.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, copies: StateCopies = StateCopies(),
        wallClock: WallClock = .system, logger: Logger
    ) async throws -> EventJournal {
        try await SQLMigrator(EventSchema.schema, program: program, wallClock: wallClock).migrate(database)
        let journal = EventJournal(database, copies, wallClock, logger)
        let (events, last) = try await database.read { db in
            (try EventRows.newest(recentCount, db), try EventRows.bounds(db).last)
        }
        journal.listeners.withLock { $0.begin(events, lastNumber: last) }
        return journal
    }

    package var now: WallClockTime { wallClock.now() }
    package var listenerCount: Int { listeners.withLock(\.count) }
    /// The number of the last event that listeners were told of.
    package var lastNumber: Int64 { listeners.withLock(\.lastNumber) }
    /// The number of events that wait to be written.
    package var queuedCount: Int { queue.withLock(\.waiting.count) }
    /// The number of events that were lost since the start, because the database did not take them.
    package var droppedCount: Int { queue.withLock(\.droppedCount) }

    // MARK: Writing

    /// Notes an event, without waiting. Callable from anywhere.
    package func note(_ event: NewEvent) {
        queue.withLock { queue in
            if queue.waiting.count < Self.maximumQueuedCount {
                queue.waiting.append(event)
            } else {
                queue.droppedCount += 1
            }
        }
        wakeUp.yield()
    }

    /// Writes events in a transaction of somebody else, together with what they are about. Call ``wake()`` after it.
    ///
    /// - Throws: `SQLError`
    package static func append(_ events: [NewEvent], _ db: any SQLConnection) throws {
        try EventRows.append(events, db)
    }

    /// Has listeners told of new events now, without waiting.
    package func wake() { wakeUp.yield() }

    /// Writes what waits, and tells listeners of all that is new, those of other servers included. Once it returns, all
    /// that was noted before is written, if the database answers.
    package func flush() async {
        do {
            while true {
                let batch = queue.withLock { Array($0.waiting.prefix(Self.batchSize)) }
                if !batch.isEmpty {
                    try await database.write { db in try EventRows.append(batch, db) }
                    queue.withLock { $0.waiting.removeFirst(batch.count) }
                }
                try await tell()
                if batch.count < Self.batchSize { break }
            }
            noteAnswer()
        } catch is CancellationError {
            // What waits is written by the server's last call.
        } catch {
            noteSilence(error)
        }
    }

    private func tell() async throws {
        while true {
            let last = listeners.withLock(\.lastNumber)
            let events = try await database.read { db in
                try EventRows.events(after: last, limit: Self.batchSize, db)
            }
            // Followers decide by copies of the state from which the events came, which another server, or another
            // task, may have changed a moment ago.
            if !events.isEmpty { try await copies.catchUp() }
            // Nobody else sends, so nothing has changed meanwhile.
            for listener in listeners.withLock({ $0.send(events) }) { listener.finish() }
            if events.count < Self.batchSize { break }
        }
        // A follower that could not read the events tries it again, so it is told even if there are none.
        listeners.withLock { $0.tellFollowers() }
    }

    private func noteAnswer() {
        let lost = queue.withLock { queue in
            queue.isAway = false
            defer { queue.loggedDropCount = queue.droppedCount }
            return queue.droppedCount - queue.loggedDropCount
        }
        if lost > 0 {
            logger.warning(
                "events dropped: the queue overflowed while the database was unavailable", metadata: [.count: "\(lost)"]
            )
        }
    }

    private func noteSilence(_ error: any Error) {
        let isNew = queue.withLock { queue in
            defer { queue.isAway = true }
            return !queue.isAway
        }
        if isNew {
            logger.warning("events could not be written to the database; will retry", metadata: [.error: "\(error)"])
        }
    }

    // MARK: Running

    /// Writes and tells until the task is cancelled. Call ``flush()`` once more then, for what has happened last.
    ///
    /// - Parameter changes: the watch of the database, for the events of other servers. While the database does not
    ///   answer, writing is tried again each time that the watch asks.
    package func run(after changes: DatabaseChanges) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in changes.follow(atLeastEvery: Self.longestPause) { self.wakeUp.yield() }
            }
            group.addTask {
                await self.repeating(every: Self.heartbeatInterval) {
                    for listener in self.listeners.withLock({ $0.beat() }) { listener.finish() }
                }
            }
            for await _ in wakeUps { await flush() }
            group.cancelAll()
        }
        for listener in listeners.withLock({ $0.close() }) { listener.finish() }
    }

    private func repeating(every interval: Duration, _ body: () -> Void) async {
        while (try? await BeatClock().sleep(for: interval)) != nil { body() }
    }

    /// Deletes what is beyond the limits of the journal. Called once an hour.
    package func maintain() async throws {
        let time = wallClock.now() - Self.keptTime
        try await database.write { db in try EventRows.prune(before: time, keeping: Self.keptCount, db) }
    }

    // MARK: Listening

    /// Begins to listen.
    ///
    /// - Parameter client: the address whose limit the listener counts towards.
    package func listen(by client: AddressGroup) throws(EventListeningError) -> EventListener {
        let (place, begunAt) = try listeners.withLock { listeners throws(EventListeningError) in
            (try listeners.add(client), listeners.lastNumber)
        }
        let number = place.number
        place.continuation.onTermination = { [weak self] reason in
            // A listener that was disconnected is no longer in the list.
            guard case .cancelled = reason else { return }
            self?.listeners.withLock { _ = $0.remove(number) }
        }
        return EventListener(messages: place.messages, begunAt: begunAt) { [weak self] in
            guard let self, let (continuation, client) = listeners.withLock({ $0.handOver(number) }) else { return nil }
            continuation.finish()
            return EventListenerPlace(self, client)
        } end: { [weak self] in
            self?.listeners.withLock { $0.remove(number) }?.finish()
        }
    }

    func freePlace(of client: AddressGroup) { listeners.withLock { $0.freePlace(of: client) } }

    /// Follows the journal without a place among the listeners, for a part of the server that passes events on.
    ///
    /// - Returns: an element each time that there may be events after those of the last time, which
    ///   ``missed(after:through:)`` reads; several times become one.
    package func follow() -> AsyncStream<Void> { listeners.withLock { $0.follow() } }

    /// The events that somebody has missed, at most a batch of them.
    ///
    /// - Parameters:
    ///   - number: the last one they have seen.
    ///   - last: the last one that they want.
    /// - Returns: the events in their order, empty if there are no more; and whether some are gone that were between.
    package func missed(after number: Int64, through last: Int64) async throws -> (events: [Event], hasGap: Bool) {
        guard number < last else { return ([], false) }
        if let events = listeners.withLock({ $0.missed(after: number) }) {
            return (Array(events.prefix { $0.number <= last }), false)
        }
        return try await database.read { db in
            let oldest = try EventRows.bounds(db).oldest
            let events = try EventRows.events(after: number, limit: Self.batchSize, db)
            // Numbers are left out, so the oldest one tells only that those before it are gone.
            let hasGap = oldest.map { $0 > number + 1 } ?? true
            return (events.filter { $0.number <= last }, hasGap)
        }
    }
}
