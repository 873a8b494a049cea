import Accounts
import MediaCore

/// The devices of members that are told at once when something changes. A value that ``Notifications`` keeps behind a
/// lock.
package struct NotificationStreams: Sendable {
    /// Limits of the streams of a member, and of the server.
    package static let maximumCountPerMember = 8
    package static let maximumCount = 5_000

    package typealias Continuation = AsyncStream<NotificationSignal>.Continuation

    // One that does not keep up is told of everything with the next signal.
    private var hub = ListenerHub<UserID, NotificationSignal>(
        maximumCount: Self.maximumCount, maximumCountPerGroup: Self.maximumCountPerMember,
        buffering: .bufferingNewest(1))
    /// The streams of each member, with the last revision of which each was told.
    private var revisions: [UserID: [UInt64: Int64]] = [:]

    package init() {}

    var count: Int { hub.count }
    var members: [UserID] { hub.groups }

    /// - Throws: `Refusal` with `busy` or `tooMany`.
    mutating func add(
        _ user: UserID, revision: Int64
    ) throws(Refusal) -> ListenerHub<UserID, NotificationSignal>.Place {
        do throws(ListenerHub<UserID, NotificationSignal>.NoPlace) {
            let place = try hub.add(user)
            revisions[user, default: [:]][place.number] = revision
            return place
        } catch {
            switch error {
            case .closed, .full:
                throw Refusal(.busy, "too many devices wait for notifications at the moment; try again later")
            case .groupFull:
                throw Refusal(
                    .tooMany,
                    "your account is already waiting for notifications on \(Self.maximumCountPerMember) devices")
            }
        }
    }

    mutating func remove(_ number: UInt64, of user: UserID) -> Continuation? {
        revisions[user]?[number] = nil
        if revisions[user]?.isEmpty == true { revisions[user] = nil }
        return hub.remove(number)
    }

    /// Tells those whose revision has changed.
    mutating func tell(_ changes: [UserID: Int64]) {
        for (user, revision) in changes {
            for (number, told) in revisions[user] ?? [:] where told < revision {
                revisions[user]?[number] = revision
                hub.send(.changed, to: number)
            }
        }
    }

    /// - Returns: those that have ended.
    mutating func beat() -> [Continuation] { hub.send(.heartbeat) }

    /// Refuses new streams.
    ///
    /// - Returns: those that have to be finished, without the lock.
    mutating func close() -> [Continuation] {
        revisions = [:]
        return hub.close()
    }
}
