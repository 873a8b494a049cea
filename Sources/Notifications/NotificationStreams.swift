import Accounts
import MediaCore

/// The devices of members that are told at once when something changes. A value that ``Notifications`` keeps behind a
/// lock.
package struct NotificationStreams: Sendable {
    /// Limits of the streams of a member, and of the server.
    package static let maximumCountPerMember = 8
    package static let maximumCount = 5_000

    private struct Stream {
        var continuation: AsyncStream<NotificationSignal>.Continuation
        /// The last revision of which it was told.
        var revision: Int64
    }

    private var streams: [UserID: [UInt64: Stream]] = [:]
    private var lastNumber: UInt64 = 0
    private(set) var count = 0
    private var isClosed = false

    var members: [UserID] { Array(streams.keys) }

    /// - Throws: `Refusal` with `busy` or `tooMany`.
    mutating func add(
        _ user: UserID, revision: Int64
    ) throws(Refusal) -> (
        number: UInt64, signals: AsyncStream<NotificationSignal>,
        continuation: AsyncStream<NotificationSignal>.Continuation
    ) {
        guard !isClosed, count < Self.maximumCount else {
            throw Refusal(.busy, "too many devices wait for notifications at the moment; try again later")
        }
        guard (streams[user]?.count ?? 0) < Self.maximumCountPerMember else {
            throw Refusal(
                .tooMany, "your account is already waiting for notifications on \(Self.maximumCountPerMember) devices")
        }
        // One that does not keep up is told of everything with the next signal.
        let (signals, continuation) = AsyncStream.makeStream(
            of: NotificationSignal.self, bufferingPolicy: .bufferingNewest(1))
        lastNumber += 1
        count += 1
        streams[user, default: [:]][lastNumber] = Stream(continuation: continuation, revision: revision)
        return (lastNumber, signals, continuation)
    }

    mutating func remove(_ number: UInt64, of user: UserID) -> AsyncStream<NotificationSignal>.Continuation? {
        guard let removed = streams[user]?.removeValue(forKey: number) else { return nil }
        if streams[user]?.isEmpty == true { streams[user] = nil }
        count -= 1
        return removed.continuation
    }

    /// Tells those whose revision has changed.
    mutating func tell(_ revisions: [UserID: Int64]) {
        for (user, revision) in revisions {
            for (number, stream) in streams[user] ?? [:] where stream.revision < revision {
                streams[user]?[number]?.revision = revision
                stream.continuation.yield(.changed)
            }
        }
    }

    func beat() { for stream in streams.values.flatMap(\.values) { stream.continuation.yield(.heartbeat) } }

    /// Refuses new streams.
    ///
    /// - Returns: those that have to be finished, without the lock.
    mutating func close() -> [AsyncStream<NotificationSignal>.Continuation] {
        defer { (streams, count, isClosed) = ([:], 0, true) }
        return streams.values.flatMap(\.values).map(\.continuation)
    }
}
