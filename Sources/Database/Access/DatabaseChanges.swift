import MediaCore
import Synchronization

/// Tells those who follow a database that somebody has changed it: this server, another one with the same database, or
/// a command. So they need not look for news again and again while nothing happens.
///
/// One cheap question in half a second takes the place of theirs.
package final class DatabaseChanges: Sendable {
    /// Interval of the questions whether anything has changed. What ends early has to end within a second, and the rest
    /// of that second is for what follows.
    package static let interval = BeatClock.interval
    /// The longest pause between two questions while it is known that nobody writes to the database: it ends before the
    /// tenth beat, at which the question is asked. Longest times of followers are multiples of ten intervals.
    package static let longestPause = interval * 10 - interval / 2

    private struct Follower {
        var continuation: AsyncStream<Void>.Continuation
        /// Intervals after which the follower is told although nothing has changed.
        var patience: Int
        var beatCount = 0
    }

    private struct State {
        var followers: [Int: Follower] = [:]
        var lastNumber = 0
        /// The last answer of the database; `nil` before the first answer and after a failure.
        var marker: String?
    }

    private let database: any SQLDatabase
    private let clock: (any Clock<Duration>)?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - database: the database that is followed.
    ///   - clock: measures the intervals; if `nil`, the database is watched in its own way.
    package init(_ database: any SQLDatabase, clock: (any Clock<Duration>)? = nil) {
        (self.database, self.clock) = (database, clock)
    }

    var followerCount: Int { state.withLock(\.followers.count) }

    /// Follows the database.
    ///
    /// - Parameter longest: the time after which there is an element although nothing has changed, for what is due at a
    ///   time.
    /// - Returns: an element at once, and after each change; several changes become one. It ends when the watch ends.
    package func follow(atLeastEvery longest: Duration) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let patience = max(1, Int(longest / Self.interval))
        let number = state.withLock { state in
            state.lastNumber += 1
            state.followers[state.lastNumber] = Follower(continuation: continuation, patience: patience)
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
        }
        continuation.yield()
        return stream
    }

    /// Tells all followers, because something else that they look at has changed, such as the server's settings.
    package func signal() { tell(isChanged: true) }

    /// Watches until the task is cancelled.
    package func run() async {
        if let clock {
            while (try? await clock.sleep(for: Self.interval)) != nil { await look() }
        } else {
            await database.watchCommits { marker, beatCount in self.note(marker, beatCount: beatCount) }
        }
        // The lock is not held when they end, because that takes them out of the list.
        for follower in state.withLock(\.followers).values { follower.continuation.finish() }
    }

    /// Asks once.
    func look() async { note(try? await database.commitMarker()) }

    /// Compares an answer with the one before. While the database does not answer, followers are told each time, so
    /// that they find out themselves.
    ///
    /// - Parameter beatCount: the number of intervals since the last answer.
    private func note(_ marker: String?, beatCount: Int = 1) {
        let isChanged = state.withLock { state in
            defer { state.marker = marker }
            return marker == nil || marker != state.marker
        }
        tell(isChanged: isChanged, beatCount: beatCount)
    }

    private func tell(isChanged: Bool, beatCount: Int = 1) {
        let told = state.withLock { state in
            var told: [AsyncStream<Void>.Continuation] = []
            for number in state.followers.keys {
                guard var follower = state.followers[number] else { continue }
                follower.beatCount += beatCount
                if isChanged || follower.beatCount >= follower.patience {
                    follower.beatCount = 0
                    told.append(follower.continuation)
                }
                state.followers[number] = follower
            }
            return told
        }
        for continuation in told { continuation.yield() }
    }
}
