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
        var hub = ListenerHub<AddressGroup, Message>(
            maximumCount: JobEventHub.maximumListenerCount,
            maximumCountPerGroup: JobEventHub.maximumListenerCountPerClient,
            buffering: .bufferingOldest(JobEventHub.maximumBufferedCount))
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
        let lost = state.withLock { state in
            state.sequence += 1
            let event = JobEvent(id: JobEvent.ID(epoch: epoch, sequence: state.sequence), job: job)
            state.recent.append(event)
            if state.recent.count > 2 * Self.maximumRecentCount {
                state.recent.removeFirst(state.recent.count - Self.maximumRecentCount)
            }
            return state.hub.send(.event(event))
        }
        for listener in lost { listener.finish() }
    }

    /// Sends a heartbeat to all listeners.
    func beat() {
        for listener in state.withLock({ $0.hub.send(.heartbeat) }) { listener.finish() }
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
        let (place, backlog, displaced) = try state.withLock { state in
            let displaced = try Self.makeRoom(for: client, &state.hub)
            return (try state.hub.add(client), self.backlog(after: event, snapshot, state), displaced)
        }
        displaced?.finish()
        let number = place.number
        place.continuation.onTermination = { [weak self] reason in
            // A listener that was disconnected is no longer in the list.
            guard case .cancelled = reason else { return }
            self?.state.withLock { _ = $0.hub.remove(number) }
        }
        return Listener(backlog: backlog, messages: place.messages) { [weak self] in
            self?.state.withLock { $0.hub.remove(number) }?.finish()
        }
    }

    /// - Returns: the listener that had to leave.
    private static func makeRoom(
        for client: AddressGroup, _ hub: inout ListenerHub<AddressGroup, Message>
    ) throws(LibraryError) -> AsyncStream<Message>.Continuation? {
        guard !hub.isClosed else { throw LibraryError(.limitExceeded, "the server is shutting down") }
        let own = hub.count(of: client)
        guard own < maximumListenerCountPerClient else {
            throw LibraryError(
                .limitExceeded, "\(own) listeners from this address are already connected; try again later")
        }
        guard hub.count >= maximumListenerCount else { return nil }
        guard let oldest = hub.removeOldest(inFavourOf: client) else {
            throw LibraryError(.limitExceeded, "\(hub.count) listeners are already connected; try again later")
        }
        return oldest
    }

    private func backlog(after event: JobEvent.ID?, _ snapshot: [JobRecord], _ state: State) -> [JobEvent] {
        if let event, event.epoch == epoch, event.sequence <= state.sequence {
            let missed = state.recent.drop { $0.id.sequence <= event.sequence }
            if state.sequence - event.sequence == UInt64(missed.count) { return Array(missed) }
        }
        return snapshot.map { JobEvent(id: JobEvent.ID(epoch: epoch, sequence: state.sequence), job: $0) }
    }

    var listenerCount: Int { state.withLock(\.hub.count) }

    /// Ends all listeners and accepts no more.
    func close() {
        for listener in state.withLock({ $0.hub.close() }) { listener.finish() }
    }
}
