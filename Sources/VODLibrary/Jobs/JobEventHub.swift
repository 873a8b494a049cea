package import Catalogue
import MediaCore
import Synchronization

/// A job as it is from now on.
package struct JobEvent: Sendable {
    package var id: ID
    package var job: JobRecord

    /// Written as `epoch-sequence`. An epoch is a run of the server.
    package struct ID: Hashable, Sendable, CustomStringConvertible {
        package var epoch: UInt64
        package var sequence: UInt64

        init(epoch: UInt64, sequence: UInt64) {
            self.epoch = epoch
            self.sequence = sequence
        }

        /// `nil` for what is no such id.
        package init?(parsing text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
            guard parts.count == 2, let epoch = parts[0], let sequence = parts[1] else { return nil }
            self.init(epoch: epoch, sequence: sequence)
        }

        package var description: String { "\(epoch)-\(sequence)" }
    }
}

/// Tells listeners what happens to jobs. One that does not keep up is let go: it connects again, and then gets what it
/// missed or a snapshot.
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
        /// Whose limit it counts towards.
        var client: AddressGroup
    }

    package enum Message: Sendable {
        case event(JobEvent)
        /// Nothing has happened for a while; keeps the connection in between open, and finds out about a dead one.
        case heartbeat
    }

    /// What a listener is to be told at first, and then as it happens.
    package struct Listener: Sendable {
        package var backlog: [JobEvent]
        package var messages: AsyncStream<Message>
        /// Nobody listens any longer.
        package var end: @Sendable () -> Void
    }

    private let epoch: UInt64
    private let state = Mutex(State())

    /// Dashboards and pages that are open at once.
    package static let maximumListenerCount = 256
    /// From one address: a household's pages, or those behind a proxy.
    package static let maximumListenerCountPerClient = 64
    /// For one listener: ten running jobs report ten times a second each, and a line may stand still for seconds.
    static let maximumBufferedCount = 512
    /// Proxies give a silent connection up after 30 s or more.
    static let heartbeatInterval = Duration.seconds(15)
    /// For those that come back.
    static let maximumRecentCount = 512

    init(epoch: UInt64) { self.epoch = epoch }

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

    func beat() { state.withLock { state in Self.send(.heartbeat, &state) } }

    private static func send(_ message: Message, _ state: inout State) {
        for (number, listener) in state.listeners {
            if case .enqueued = listener.continuation.yield(message) { continue }
            state.listeners[number] = nil
            listener.continuation.finish()
        }
    }

    /// When all places are taken, the oldest listener of the client that has most of them gives way to a client that has
    /// fewer; it connects again.
    ///
    /// - Parameters:
    ///   - client: whose limit the listener counts towards.
    ///   - event: what the listener has seen last; `nil` for nothing.
    ///   - snapshot: for who has seen nothing, or what is too long ago.
    /// - Throws: ``LibraryError``
    func listen(by client: AddressGroup, after event: JobEvent.ID?, snapshot: [JobRecord]) throws -> Listener {
        try state.withLock { state in
            guard !state.isClosed else { throw LibraryError(.limitExceeded, "the server is shutting down") }
            try Self.makeRoom(for: client, &state)
            state.lastListener += 1
            let number = state.lastListener
            let (messages, continuation) = AsyncStream.makeStream(
                of: Message.self, bufferingPolicy: .bufferingOldest(Self.maximumBufferedCount))
            continuation.onTermination = { [weak self] reason in
                // A listener that was let go is no longer among them, and its lock is held.
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
                .limitExceeded, "\(own) listeners from this address are connected already; try again later")
        }
        guard state.listeners.count >= maximumListenerCount else { return }
        let counts = Dictionary(grouping: state.listeners) { $0.value.client }.mapValues(\.count)
        guard let largest = counts.max(by: { $0.value < $1.value }), largest.value > own + 1,
            let oldest = state.listeners.filter({ $0.value.client == largest.key }).keys.min()
        else {
            throw LibraryError(
                .limitExceeded, "\(state.listeners.count) listeners are connected already; try again later")
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

    /// Ends all listeners; no more are taken.
    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.continuation.finish() }
    }
}
