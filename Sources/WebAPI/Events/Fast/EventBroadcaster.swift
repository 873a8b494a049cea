import DequeModule
import Events
import MediaCore
import NIOCore

/// Sends events to the listeners of a crowd whose connections are on one event loop, and heartbeats. Confined to it.
///
/// It goes through the listeners for each message. Who comes to their turn is sent all that waits for them, so that
/// events that follow each other closely need one write and not a second round after the first.
///
/// It writes to some of them in a turn and then lets the loop do its other work, so that media is not delayed by
/// thousands of writes. Heartbeats are spread over their interval.
final class EventBroadcaster {
    /// A message to the members of a group.
    enum Message: Sendable {
        case send(EventPayload)
        /// They may not listen any more.
        case end
    }

    /// Messages that are being sent.
    private struct Work {
        var messages: ArraySlice<(group: EventGroup, message: Message)>
        /// The members of the first group that have not been sent its message; `nil` before the first.
        var members: ArraySlice<EventConnection>?
        var promise: EventLoopPromise<Void>?
    }

    private let eventLoop: any EventLoop
    private let onLeave: (EventGroup) -> Void
    private var groups: [ObjectIdentifier: [EventConnection]] = [:]
    /// All connections, by the part of the interval in which they are sent a heartbeat.
    private var slots: [[EventConnection]]
    private var nextSlot = 0
    private var joinSlot = 0
    private(set) var count = 0
    private var heartbeats: Scheduled<Void>?
    /// One element for each call of ``send(_:promise:)`` that is not done. The crowd makes one for each portion of its
    /// groups, and waits before there are many.
    private var work: Deque<Work> = []
    /// The messages that wait for each group, by the elements of `work`, in their order.
    private var waiting: [ObjectIdentifier: Deque<EventPayload>] = [:]
    private var isSending = false

    /// Number of connections that are written to in a turn; a write takes about 5 µs.
    static let writesPerTurn = 256
    /// Time after a turn in which the loop does its other work.
    static let turnInterval = Duration.microseconds(200)
    /// Number of parts of the interval of heartbeats.
    static let slotCount = 150

    /// - Parameters:
    ///   - eventLoop: the loop of all connections.
    ///   - onLeave: called when a member of a group has left.
    init(_ eventLoop: any EventLoop, onLeave: @escaping (EventGroup) -> Void) {
        (self.eventLoop, self.onLeave) = (eventLoop, onLeave)
        slots = Array(repeating: [], count: Self.slotCount)
    }

    // MARK: Members

    /// Adds the connection of a listener, and its handler to the pipeline of its channel.
    func add(_ channel: any Channel, to group: EventGroup, seen: Int64, place: EventListenerPlace) throws {
        let connection = EventConnection(channel, group, seen: seen, place: place, broadcaster: self)
        try channel.pipeline.syncOperations.addHandler(connection)
        let key = ObjectIdentifier(group)
        connection.position.inGroup = Int32(groups[key]?.count ?? 0)
        groups[key, default: []].append(connection)
        connection.position.slot = Int32(joinSlot)
        connection.position.inSlot = Int32(slots[joinSlot].count)
        slots[joinSlot].append(connection)
        joinSlot = (joinSlot + 1) % Self.slotCount
        count += 1
        if heartbeats == nil { scheduleHeartbeats() }
    }

    /// Removes a connection that is closed.
    func remove(_ connection: EventConnection) {
        let (key, position) = (ObjectIdentifier(connection.group), connection.position)
        if groups[key]?.count == 1 {
            groups[key] = nil
        } else {
            Self.remove(at: Int(position.inGroup), from: &groups[key, default: []])?.position.inGroup = position.inGroup
        }
        Self.remove(at: Int(position.inSlot), from: &slots[Int(position.slot)])?.position.inSlot = position.inSlot
        count -= 1
        if count == 0 {
            heartbeats?.cancel()
            heartbeats = nil
        }
        onLeave(connection.group)
    }

    /// Removes an element, whose place the last one takes.
    ///
    /// - Returns: the element that has moved; `nil` if it was the last one.
    private static func remove(at index: Int, from connections: inout [EventConnection]) -> EventConnection? {
        let last = connections.removeLast()
        guard index < connections.count else { return nil }
        connections[index] = last
        return last
    }

    /// Ends all connections.
    func finishAll() {
        for slot in slots { for connection in slot { connection.finish() } }
    }

    // MARK: Messages

    /// Sends messages to the members of groups.
    ///
    /// - Parameters:
    ///   - messages: the messages; each group has at most one.
    ///   - promise: succeeds when all members have been written to.
    func send(_ messages: [(group: EventGroup, message: Message)], promise: EventLoopPromise<Void>?) {
        work.append(Work(messages: messages[...], promise: promise))
        for case (let group, .send(let payload)) in messages {
            waiting[ObjectIdentifier(group), default: []].append(payload)
        }
        guard !isSending else { return }
        isSending = true
        takeTurn()
    }

    private func takeTurn() {
        var budget = Self.writesPerTurn
        while budget > 0, !work.isEmpty {
            if advance(&work[work.startIndex], &budget) { work.removeFirst().promise?.succeed() }
        }
        guard !work.isEmpty else { return isSending = false }
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(Self.turnInterval)) { self.takeTurn() }
    }

    /// - Returns: whether everything is sent.
    private func advance(_ work: inout Work, _ budget: inout Int) -> Bool {
        while budget > 0, let (group, message) = work.messages.first {
            // Those who join meanwhile have seen the events; those who leave are still in this list.
            var members = work.members ?? groups[ObjectIdentifier(group), default: []][...]
            let turn = members.prefix(budget)
            members = members.dropFirst(budget)
            budget -= max(turn.count, 1)
            switch message {
            case .send:
                let payloads = waiting[ObjectIdentifier(group), default: []]
                for member in turn { member.send(payloads) }
            case .end: for member in turn { member.finish() }
            }
            if members.isEmpty {
                if case .send = message { forget(ObjectIdentifier(group)) }
                work.messages.removeFirst()
                work.members = nil
            } else {
                work.members = members
            }
        }
        return work.messages.isEmpty
    }

    /// Takes away the first payload of a group, which all its members have been sent.
    private func forget(_ group: ObjectIdentifier) {
        waiting[group]?.removeFirst()
        if waiting[group]?.isEmpty == true { waiting[group] = nil }
    }

    // MARK: Heartbeats

    private func scheduleHeartbeats() {
        let pause = EventJournal.heartbeatInterval / Self.slotCount
        heartbeats = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { [self] in
            scheduleHeartbeats()
            let slot = slots[nextSlot]
            nextSlot = (nextSlot + 1) % Self.slotCount
            for connection in slot { connection.send(EventPayload.heartbeat) }
        }
    }
}
