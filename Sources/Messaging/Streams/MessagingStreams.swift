import Accounts
import MediaCore

/// The devices of members that are told at once when something changes. A value that ``Messaging`` keeps behind a
/// lock.
struct MessagingStreams: Sendable {
    /// Limits of the streams of a member, and of the server.
    static let maximumCountPerMember = 8
    static let maximumCount = 5_000

    typealias Hub = ListenerHub<UserID, MessagingSignal>

    // A device that does not keep up is told of everything with the next signal.
    private var hub = Hub(
        maximumCount: Self.maximumCount, maximumCountPerGroup: Self.maximumCountPerMember,
        buffering: .bufferingNewest(1))
    /// The streams of each member, with the last revision of which each was told.
    private var revisions: [UserID: [Hub.Number: Int64]] = [:]

    var members: [UserID] { hub.groups }

    /// - Throws: `Refusal` with `busy` or `tooMany`.
    mutating func add(_ user: UserID, revision: Int64) throws(Refusal) -> Hub.Place {
        do throws(Hub.NoPlace) {
            let place = try hub.add(user)
            revisions[user, default: [:]][place.number] = revision
            return place
        } catch {
            switch error {
            case .closed, .full:
                throw Refusal(.busy, "too many devices wait for messages at the moment; try again later")
            case .groupFull:
                throw Refusal(
                    .tooMany, "your account is already waiting for messages on \(Self.maximumCountPerMember) devices")
            }
        }
    }

    mutating func remove(_ number: Hub.Number, of user: UserID) -> Hub.Continuation? {
        revisions[user]?[number] = nil
        if revisions[user]?.isEmpty == true { revisions[user] = nil }
        return hub.remove(number)
    }

    /// Tells the devices of members whose revision has changed.
    mutating func tell(_ changes: [UserID: Int64]) {
        for (user, revision) in changes {
            for (number, told) in revisions[user] ?? [:] where told < revision {
                revisions[user]?[number] = revision
                hub.send(.changed, to: number)
            }
        }
    }

    /// - Returns: those that have ended.
    mutating func beat() -> [Hub.Continuation] { hub.send(.heartbeat) }

    /// Refuses new streams.
    ///
    /// - Returns: those that have to be finished, without the lock.
    mutating func close() -> [Hub.Continuation] {
        revisions = [:]
        return hub.close()
    }
}
