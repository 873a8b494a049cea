import Synchronization

/// Listeners that are told at once when a number has risen that each group has, such as the devices of members who wait
/// for messages.
package final class RevisionStreams<Group: Hashable & Sendable>: Sendable {
    /// Limits of the streams of a group, and of the server.
    package static var maximumCountPerGroup: Int { 8 }
    package static var maximumCount: Int { 5_000 }
    /// Proxies close a silent connection after 30 s or more.
    package static var heartbeatInterval: Duration { .seconds(15) }
    /// The number of groups whose revisions are read at a time.
    private static var batchSize: Int { 500 }

    private typealias Hub = ListenerHub<Group, RevisionSignal>

    private struct State {
        // A listener that does not keep up is told of everything with the next signal.
        var hub = Hub(
            maximumCount: maximumCount, maximumCountPerGroup: maximumCountPerGroup, buffering: .bufferingNewest(1))
        /// The streams of each group, with the last revision of which each was told.
        var revisions: [Group: [Hub.Number: Int64]] = [:]

        mutating func remove(_ number: Hub.Number, of group: Group) -> Hub.Continuation? {
            revisions[group]?[number] = nil
            if revisions[group]?.isEmpty == true { revisions[group] = nil }
            return hub.remove(number)
        }
    }

    /// The things that listeners wait for, for refusals.
    private let things: String
    private let state = Mutex(State())

    /// - Parameter things: the things that listeners wait for, such as "messages".
    package init(of things: String) { self.things = things }

    package var count: Int { state.withLock(\.hub.count) }
    package var groups: [Group] { state.withLock(\.hub.groups) }

    /// Begins to tell a listener when its group has a higher revision.
    ///
    /// - Throws: `Refusal` with `busy` or `tooMany`.
    package func begin(_ group: Group, at revision: Int64) throws(Refusal) -> RevisionStream {
        let place = try state.withLock { state throws(Refusal) in try add(group, at: revision, &state) }
        let number = place.number
        place.continuation.onTermination = { [weak self] reason in
            guard case .cancelled = reason else { return }
            self?.state.withLock { _ = $0.remove(number, of: group) }
        }
        return RevisionStream(signals: place.messages, begunAt: revision) { [weak self] in
            self?.state.withLock { $0.remove(number, of: group) }?.finish()
        }
    }

    private func add(_ group: Group, at revision: Int64, _ state: inout State) throws(Refusal) -> Hub.Place {
        do throws(Hub.NoPlace) {
            let place = try state.hub.add(group)
            state.revisions[group, default: [:]][place.number] = revision
            return place
        } catch {
            switch error {
            case .closed, .full:
                throw Refusal(.busy, "too many devices wait for \(things) at the moment; try again later")
            case .groupFull:
                throw Refusal(
                    .tooMany, "your account is already waiting for \(things) on \(Self.maximumCountPerGroup) devices")
            }
        }
    }

    /// Reads the revisions of all groups that listen, and tells those whose has risen.
    ///
    /// - Parameter read: reads the revisions of some groups.
    /// - Throws: any error of `read`.
    package func refresh(_ read: (_ groups: [Group]) async throws -> [Group: Int64]) async throws {
        let groups = groups
        for start in stride(from: 0, to: groups.count, by: Self.batchSize) {
            let revisions = try await read(Array(groups[start..<min(start + Self.batchSize, groups.count)]))
            tell(revisions)
        }
    }

    /// Tells the listeners of some groups, if their revision has risen.
    package func tell(_ changes: [Group: Int64]) {
        state.withLock { state in
            for (group, revision) in changes {
                for (number, told) in state.revisions[group] ?? [:] where told < revision {
                    state.revisions[group]?[number] = revision
                    state.hub.send(.changed, to: number)
                }
            }
        }
    }

    /// Tells all listeners that nothing has happened, so that their connections stay.
    package func beat() {
        // A stream that ends calls back, which needs the lock.
        for continuation in state.withLock({ $0.hub.send(.heartbeat) }) { continuation.finish() }
    }

    /// Ends all streams, and begins no more.
    package func close() {
        let ended = state.withLock { state in
            state.revisions = [:]
            return state.hub.close()
        }
        for continuation in ended { continuation.finish() }
    }
}
