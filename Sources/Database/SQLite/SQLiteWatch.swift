import Foundation
import GRDB
import MediaCore
import Synchronization

/// A connection to a database file that only asks whether another one has changed it. SQLite tells a connection of the
/// changes of others, so those that read and write cannot be asked.
final class SQLiteWatch: Sendable {
    private enum State {
        case unopened
        case open(DatabaseQueue)
        case closed
    }

    private let path: String
    /// The time that a transaction may take from its last write to the files until others see it: it waits for the disk
    /// in between, and what follows is written to memory that they share, which nothing reports.
    private let maximumCommitDuration: Duration
    private let state = Mutex(State.unopened)

    init(path: String, maximumCommitDuration: Duration = .seconds(5)) {
        (self.path, self.maximumCommitDuration) = (path, maximumCommitDuration)
    }

    /// See `SQLDatabase.commitMarker`. The first call opens the connection.
    func marker() async throws -> String { try await Self.marker(connection(), path: path) }

    /// See `SQLDatabase.watchCommits`. It asks on a thread of its own, which is much cheaper than handing the question
    /// to others; it ends within an interval after the task has been cancelled.
    ///
    /// If the system tells of writes to the files, the thread asks while there are any, and otherwise after the longest
    /// pause only.
    func run(_ body: @escaping CommitObserver) async {
        let ending = Ending()
        let events = SQLiteFileEvents(path: path)
        let thread = Thread { [self] in
            var (last, lastEvent) = (ContinuousClock.now, ContinuousClock.now)
            while true {
                if let events, lastEvent.duration(to: .now) > maximumCommitDuration {
                    events.wait(atMost: DatabaseChanges.longestPause)
                }
                Thread.sleep(forTimeInterval: BeatClock.timeToNextBeat.seconds)
                if ending.isOver.load(ordering: .relaxed) { return }
                if events?.take() == true { lastEvent = .now }
                let marker = try? connection().unsafeRead { db in try Self.marker(db) }
                let beatCount = (last.duration(to: .now) / BeatClock.interval).rounded()
                last = .now
                body(marker, max(1, Int(beatCount)))
            }
        }
        thread.name = "antena.changes"
        thread.start()
        // Nothing comes on this stream, which ends when the task is cancelled.
        let (cancellation, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in cancellation {}
        continuation.finish()
        ending.isOver.store(true, ordering: .relaxed)
        events?.wake()
    }

    private final class Ending: Sendable {
        let isOver = Atomic(false)
    }

    private static func marker(_ db: Database) throws -> String {
        let statement = try db.cachedStatement(sql: "PRAGMA data_version")
        return String(try Int.fetchOne(statement) ?? 0)
    }

    private func connection() throws -> DatabaseQueue {
        try state.withLock { state in
            switch state {
            case .open(let queue): return queue
            case .closed: throw SQLError(.unavailable, "the database \(path) is closed")
            case .unopened:
                let queue = try Self.open(path)
                state = .open(queue)
                return queue
            }
        }
    }

    private static func open(_ path: String) throws(SQLError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 1") }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw SQLError(sqlite: error, path: path)
        }
    }

    /// The marker of a connection that changes nothing itself: SQLite's number of the changes of others.
    static func marker(_ queue: DatabaseQueue, path: String) async throws -> String {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                // Without a transaction around the question, which would cost more than it.
                queue.asyncUnsafeRead { db in
                    continuation.resume(with: Result { try marker(db.get()) })
                }
            }
        } catch let error as DatabaseError {
            throw SQLError(sqlite: error, path: path)
        }
    }

    func close() {
        let queue = state.withLock { state in
            defer { state = .closed }
            return if case .open(let queue) = state { queue } else { nil as DatabaseQueue? }
        }
        try? queue?.close()
    }
}
