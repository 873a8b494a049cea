import Catalogue
import LibraryCore
import MediaCore
import Synchronization

/// Sends job events to listeners. A listener that does not keep up is disconnected; when it connects again, it gets the
/// events that it missed, or a snapshot.
package final class JobEventHub: Sendable {
    private struct State {
        var sequence: UInt64 = 0
        var recent: [JobEvent] = []
        var listeners: [UInt64: Entry] = [:]
        var lastListener: UInt64 = 0
        var isClosed = false
    }

    private struct Entry {
        var continuation: AsyncStream<Message>.Continuation
        /// The client whose limit the listener counts towards.
        var client: AddressGroup
    }

    /// A message for a listener.
    package enum Message: Sendable {
        case event(JobEvent)
        /// Nothing has happened for a while. A heartbeat keeps connections through proxies open, and detects dead ones.
        case heartbeat
    }

    /// The events that a listener gets first, and the stream of those that follow.
    package struct Listener: Sendable {
        package var backlog: [JobEvent]
        package var messages: AsyncStream<Message>
        /// Ends the listening.
        package var end: @Sendable () -> Void
    }

    private let epoch: UInt64
    private let state = Mutex(State())

    /// Limit on the listeners, such as open dashboards and pages.
    package static let maximumListenerCount = 256
    /// Limit on the listeners from one address: a household's pages, or clients behind a proxy.
    package static let maximumListenerCountPerClient = 64
    /// Limit on the messages that wait for one listener. Ten running jobs report ten times a second each, and a
    /// connection may stall for seconds.
    static let maximumBufferedCount = 512
    /// Interval between heartbeats. Proxies close a silent connection after 30 s or more.
    static let heartbeatInterval = Duration.seconds(15)
    /// Number of recent events kept for listeners that reconnect.
    static let maximumRecentCount = 512

    init(epoch: UInt64) { self.epoch = epoch }

    /// Sends a changed job to all listeners.
    func publish(_ job: JobRecord) {
        state.withLock { state in
            state.sequence += 1
            let event = JobEvent(id: JobEvent.ID(epoch: epoch, sequence: state.sequence), job: job)
            state.recent.append(event)
            if state.recent.count > 2 * Self.maximumRecentCount {
                state.recent.removeFirst(state.recent.count - Self.maximumRecentCount)
            }
            Self.send(.event(event), &state)
        }
    }

    /// Sends a heartbeat to all listeners.
    func beat() { state.withLock { state in Self.send(.heartbeat, &state) } }

    private static func send(_ message: Message, _ state: inout State) {
        for (number, listener) in state.listeners {
            if case .enqueued = listener.continuation.yield(message) { continue }
            state.listeners[number] = nil
            listener.continuation.finish()
        }
    }

    /// Adds a listener. When all places are taken, the oldest listener of the client that has most of them is
    /// disconnected in favour of a client that has fewer; it can connect again.
    ///
    /// - Parameters:
    ///   - client: the client whose limit the listener counts towards.
    ///   - event: the last event that the listener has seen; `nil` for none.
    ///   - snapshot: the jobs to send to a listener that has seen no event, or one that is too old.
    /// - Throws: `LibraryError` if there are too many listeners, or if the server is shutting down.
    func listen(by client: AddressGroup, after event: JobEvent.ID?, snapshot: [JobRecord]) throws -> Listener {
        try state.withLock { state in
            guard !state.isClosed else { throw LibraryError(.limitExceeded, "the server is shutting down") }
            try Self.makeRoom(for: client, &state)
            state.lastListener += 1
            let number = state.lastListener
            let (messages, continuation) = AsyncStream.makeStream(
                of: Message.self, bufferingPolicy: .bufferingOldest(Self.maximumBufferedCount))
            continuation.onTermination = { [weak self] reason in
                // A listener that was disconnected is no longer in the list, and this runs with the lock held.
                guard case .cancelled = reason else { return }
                self?.state.withLock { $0.listeners[number] = nil }
            }
            state.listeners[number] = Entry(continuation: continuation, client: client)
            return Listener(backlog: backlog(after: event, snapshot, state), messages: messages) { [weak self] in
                self?.state.withLock { $0.listeners.removeValue(forKey: number) }?.continuation.finish()
            }
        }
    }

    private static func makeRoom(for client: AddressGroup, _ state: inout State) throws(LibraryError) {
        let own = state.listeners.values.count { $0.client == client }
        guard own < maximumListenerCountPerClient else {
            throw LibraryError(
                .limitExceeded, "\(own) listeners from this address are already connected; try again later")
        }
        guard state.listeners.count >= maximumListenerCount else { return }
        let counts = Dictionary(grouping: state.listeners) { $0.value.client }.mapValues(\.count)
        guard let largest = counts.max(by: { $0.value < $1.value }), largest.value > own + 1,
            let oldest = state.listeners.filter({ $0.value.client == largest.key }).keys.min()
        else {
            throw LibraryError(
                .limitExceeded, "\(state.listeners.count) listeners are already connected; try again later")
        }
        state.listeners.removeValue(forKey: oldest)?.continuation.finish()
    }

    private func backlog(after event: JobEvent.ID?, _ snapshot: [JobRecord], _ state: State) -> [JobEvent] {
        if let event, event.epoch == epoch, event.sequence <= state.sequence {
            let missed = state.recent.drop { $0.id.sequence <= event.sequence }
            if state.sequence - event.sequence == UInt64(missed.count) { return Array(missed) }
        }
        return snapshot.map { JobEvent(id: JobEvent.ID(epoch: epoch, sequence: state.sequence), job: $0) }
    }

    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Ends all listeners and accepts no more.
    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.continuation.finish() }
    }
}
