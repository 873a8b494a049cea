import DequeModule
package import Events
package import HTTPEndpoints
import MediaCore
import NIOCore
import SiteTexts
import Synchronization

/// The listeners whose connections have left the HTTP server (`ConnectionTakeover`), so that ten thousand of them need
/// neither tasks nor much memory.
///
/// For a number of events that have happened together, it finds out once for each credential what may be told, encodes
/// it once for all who are told the same, and lets the broadcaster of each event loop send it. Events come from the
/// journal by their numbers: nothing is lost however long that takes. A few batches are sent at the same time; the next
/// events wait.
package final class EventCrowd: Sendable {
    /// Limit of the bytes that wait for a listener, beyond those in the socket: some hundred events. They are shared by
    /// all listeners for whom they wait.
    static let maximumUnsentByteCount = 256 << 10
    /// Size of the socket's buffer of a listener.
    static let sendBufferByteCount = 64 << 10
    /// Limit of the events that are sent together.
    static let maximumBatchCount = 256
    /// Limit of the batches that are being sent at the same time.
    private static let concurrentBatchCount = 4
    /// Credentials that are looked at at the same time.
    private static let concurrentCheckCount = 8
    /// Credentials that are looked at before their listeners are sent to.
    private static let portionCount = 256

    private static let limits = TakenConnectionLimits(
        unsentByteCount: maximumUnsentByteCount, sendBufferByteCount: sendBufferByteCount,
        acknowledgementTimeout: AcknowledgementTimeout.ofListeners)

    /// The way into a crowd from the connection of a request.
    struct Entrance: Sendable {
        let crowd: EventCrowd
        let channel: any Channel

        /// Lets a listener join.
        ///
        /// - Parameters:
        ///   - audience: what it may be told of.
        ///   - seen: the number of the last event that it has seen.
        ///   - listener: its place, which the crowd takes over.
        /// - Returns: `declined` if the crowd has been told of further events already, or if something has still to be
        ///   sent to the listener; try again after the next message.
        func enter(
            _ audience: EventAudience, after seen: Int64, _ listener: EventListener
        ) async -> ConnectionTakeover.Outcome {
            guard crowd.state.withLock(\.position) <= seen else { return .declined }
            return await ConnectionTakeover.take(channel, limits: EventCrowd.limits) { [crowd] taken in
                crowd.join(taken, audience, after: seen, place: listener.handOver)
            }
        }
    }

    private struct Members {
        var group: EventGroup
        var count = 0
    }

    /// The broadcaster of an event loop.
    private struct Branch: Sendable {
        let eventLoop: any EventLoop
        let broadcaster: NIOLoopBound<EventBroadcaster>
    }

    private struct State {
        /// The number of the last event whose receivers are settled.
        var position: Int64
        var groups: [EventGroup.Key: Members] = [:]
        var branches: [ObjectIdentifier: Branch] = [:]
        /// For each batch that is being sent, futures that succeed when it is.
        var sending: Deque<[EventLoopFuture<Void>]> = []
        var isClosed = false
    }

    private let journal: EventJournal
    private let authority: RequestAuthority
    private let state: Mutex<State>

    /// - Parameters:
    ///   - journal: the journal of events.
    ///   - authority: finds out who listens.
    package init(journal: EventJournal, authority: RequestAuthority) {
        (self.journal, self.authority) = (journal, authority)
        state = Mutex(State(position: journal.lastNumber))
    }

    /// The number of listeners, and of groups of them that are told the same.
    var count: (listeners: Int, groups: Int) {
        state.withLock { state in (state.groups.values.reduce(0) { $0 + $1.count }, state.groups.count) }
    }

    // MARK: Joining

    /// Adds a listener, on the event loop of its channel.
    ///
    /// - Parameters:
    ///   - channel: the channel of its connection, without handlers.
    ///   - audience: what it may be told of.
    ///   - seen: the number of the last event that it has seen.
    ///   - place: takes over its place among the listeners; called once it is certain that it joins.
    /// - Returns: false if it must see further events first, or has left.
    func join(
        _ channel: any Channel, _ audience: EventAudience, after seen: Int64, place: () -> EventListenerPlace?
    ) -> Bool {
        let key = EventGroup.Key(credential: authority.credential(in: audience.fields), filter: audience.filter)
        // Events are told of under the same lock, so none falls between the two.
        let admission = state.withLock { state -> (EventGroup, Branch)? in
            guard !state.isClosed, state.position <= seen else { return nil }
            let group = state.groups[key]?.group ?? EventGroup(key, audience.identified(by: authority))
            state.groups[key, default: Members(group: group)].count += 1
            return (group, branch(of: channel.eventLoop, &state))
        }
        guard let (group, branch) = admission else { return false }
        guard let place = place() else {
            leave(group)
            return false
        }
        do {
            try branch.broadcaster.value.add(channel, to: group, seen: seen, place: place)
            return true
        } catch {
            place.end()
            leave(group)
            return false
        }
    }

    private func branch(of eventLoop: any EventLoop, _ state: inout State) -> Branch {
        let key = ObjectIdentifier(eventLoop)
        if let branch = state.branches[key] { return branch }
        let broadcaster = EventBroadcaster(eventLoop) { [weak self] group in self?.leave(group) }
        let branch = Branch(
            eventLoop: eventLoop, broadcaster: NIOLoopBound(broadcaster, eventLoop: eventLoop))
        state.branches[key] = branch
        return branch
    }

    private func leave(_ group: EventGroup) {
        state.withLock { state in
            state.groups[group.key]?.count -= 1
            if state.groups[group.key]?.count == 0 { state.groups[group.key] = nil }
        }
    }

    // MARK: Telling

    /// Sends events to the listeners until the task is cancelled or the journal ends; then ends them all.
    package func run() async {
        let interval = EventJournal.heartbeatInterval
        var lastCheck = ContinuousClock.now
        for await _ in journal.follow() {
            // If the database does not answer, the journal says so, and comes back every second.
            try? await tell()
            guard ContinuousClock.now - lastCheck >= interval else { continue }
            lastCheck = .now
            await checkRights()
        }
        await close()
    }

    /// Tells the listeners of all that they have not been told of.
    ///
    /// - Throws: an error of the database.
    func tell() async throws {
        while true {
            let (position, last) = (state.withLock(\.position), journal.lastNumber)
            guard position < last else { return }
            let (events, hasGap) = try await journal.missed(after: position, through: last)
            let batch = Array(events.prefix(Self.maximumBatchCount))
            let end = batch.last?.number ?? last
            await waitForBatches()
            let sending = await send(batch, through: end, hasGap: hasGap, to: groups(movingTo: end))
            state.withLock { $0.sending.append(sending) }
        }
    }

    /// Waits until one more batch may be sent.
    private func waitForBatches() async {
        while let batch = state.withLock({ state in
            state.sending.count >= Self.concurrentBatchCount ? state.sending.removeFirst() : nil
        }) {
            for future in batch { try? await future.get() }
        }
    }

    /// Ends the listeners whose credentials have ended.
    func checkRights() async {
        let groups = state.withLock { $0.groups.values.map(\.group) }
        let sending = await send(to: groups, of: []) { $0 == nil ? .end : nil }
        for future in sending { try? await future.get() }
    }

    /// The groups that are told of the events up to a number. Who joins later must have seen them.
    private func groups(movingTo position: Int64) -> [EventGroup] {
        state.withLock { state in
            state.position = position
            return state.groups.values.map(\.group)
        }
    }

    /// Sends groups events.
    ///
    /// - Parameter position: the number of the last event of the batch.
    /// - Returns: futures that succeed when they are sent.
    private func send(
        _ batch: [Event], through position: Int64, hasGap: Bool, to groups: [EventGroup]
    ) async -> [EventLoopFuture<Void>] {
        // Groups that are told of the same events share the bytes.
        var payloads: [[Int64]: EventPayload] = [:]
        return await send(to: groups, of: batch) { events in
            guard let events else { return .end }
            guard !events.isEmpty || hasGap else { return nil }
            let numbers = events.map(\.number)
            let payload = payloads[numbers] ?? EventPayload(events, through: position, hasGap: hasGap)
            payloads[numbers] = payload
            return .send(payload)
        }
    }

    /// Sends groups their messages.
    ///
    /// - Parameters:
    ///   - groups: the groups. While the rights of some are found out, those before them are sent to.
    ///   - events: the events that some may be told of.
    ///   - message: makes the message of a group from the events that it is told of, `nil` if its credential has ended.
    /// - Returns: futures that succeed when they are sent.
    private func send(
        to groups: [EventGroup], of events: [Event], message: ([Event]?) -> EventBroadcaster.Message?
    ) async -> [EventLoopFuture<Void>] {
        let groups = Array(Dictionary(grouping: groups, by: \.key.credential).values)
        var sending: [EventLoopFuture<Void>] = []
        for start in stride(from: 0, to: groups.count, by: Self.portionCount) {
            let portion = Array(groups[start..<min(start + Self.portionCount, groups.count)])
            let messages = await allowed(events, portion).compactMap { group, events in
                message(events).map { (group, $0) }
            }
            sending += dispatch(messages)
        }
        return sending
    }

    /// The events that each group is told of; `nil` for a group whose credential has ended.
    ///
    /// - Parameters:
    ///   - events: all events.
    ///   - groups: the groups by their credentials, each of which is looked at once.
    private func allowed(_ events: [Event], _ groups: [[EventGroup]]) async -> [(EventGroup, [Event]?)] {
        await withTaskGroup(of: [(EventGroup, [Event]?)].self) { tasks in
            for first in 0..<min(Self.concurrentCheckCount, groups.count) {
                tasks.addTask {
                    var found: [(EventGroup, [Event]?)] = []
                    for index in stride(from: first, to: groups.count, by: Self.concurrentCheckCount) {
                        guard let rights = await groups[index].first?.audience.rights() else { continue }
                        found += groups[index].map { ($0, $0.audience.allowed(of: events, rights)) }
                    }
                    return found
                }
            }
            return await tasks.reduce(into: []) { $0 += $1 }
        }
    }

    /// Lets all broadcasters send messages.
    ///
    /// - Returns: futures that succeed when they have.
    private func dispatch(_ messages: [(EventGroup, EventBroadcaster.Message)]) -> [EventLoopFuture<Void>] {
        guard !messages.isEmpty else { return [] }
        return state.withLock { Array($0.branches.values) }.map { branch in
            let promise = branch.eventLoop.makePromise(of: Void.self)
            branch.eventLoop.execute { branch.broadcaster.value.send(messages, promise: promise) }
            return promise.futureResult
        }
    }

    private func close() async {
        let branches = state.withLock { state in
            state.isClosed = true
            return Array(state.branches.values)
        }
        for branch in branches {
            try? await branch.eventLoop.submit { branch.broadcaster.value.finishAll() }.get()
        }
    }
}
