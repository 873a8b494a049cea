import MediaCore

/// The listeners, and the newest events. A value that ``EventJournal`` keeps behind a lock.
struct EventListeners {
    typealias Continuation = AsyncStream<EventMessage>.Continuation

    private var hub = ListenerHub<AddressGroup, EventMessage>(
        maximumCount: EventJournal.maximumListenerCount,
        maximumCountPerGroup: EventJournal.maximumListenerCountPerClient,
        buffering: .bufferingOldest(EventJournal.maximumBufferedCount))
    /// Told that there may be new events.
    private var followers: [AsyncStream<Void>.Continuation] = []
    /// The newest events, in their order.
    private var recent: [Event] = []
    /// The last number that was sent to listeners.
    private(set) var lastNumber: Int64 = 0

    var count: Int { hub.count }

    /// Begins with what the journal holds.
    mutating func begin(_ events: [Event], lastNumber: Int64) {
        recent = events
        self.lastNumber = max(lastNumber, events.last?.number ?? 0)
    }

    /// Sends events to all listeners. One that does not keep up is disconnected; it may come back and say what it has
    /// seen.
    ///
    /// - Parameter events: events after ``lastNumber``, in their order.
    /// - Returns: those that did not keep up.
    mutating func send(_ events: [Event]) -> [Continuation] {
        guard let last = events.last else { return [] }
        lastNumber = last.number
        recent += events
        if recent.count > 2 * EventJournal.recentCount {
            recent.removeFirst(recent.count - EventJournal.recentCount)
        }
        return events.flatMap { hub.send(.event($0)) }
    }

    /// Sends a heartbeat to all listeners.
    ///
    /// - Returns: those that did not keep up.
    mutating func beat() -> [Continuation] { hub.send(.heartbeat) }

    /// Adds a listener.
    mutating func add(
        _ client: AddressGroup
    ) throws(EventListeningError) -> ListenerHub<AddressGroup, EventMessage>.Place {
        do throws(ListenerHub<AddressGroup, EventMessage>.NoPlace) {
            return try hub.add(client, isLimited: !client.isLoopback)
        } catch {
            switch error {
            case .closed: throw EventListeningError(reason: "the server is shutting down")
            case .full:
                throw EventListeningError(reason: "\(count) listeners are already connected; try again later")
            case .groupFull:
                throw EventListeningError(
                    reason: "\(hub.count(of: client)) listeners from this address are already connected")
            }
        }
    }

    /// Removes a listener.
    mutating func remove(_ number: UInt64) -> Continuation? { hub.remove(number) }

    /// Removes a listener, whose place stays taken until ``freePlace(of:)``.
    mutating func handOver(_ number: UInt64) -> (continuation: Continuation, group: AddressGroup)? {
        hub.handOver(number)
    }

    mutating func freePlace(of client: AddressGroup) { hub.freePlace(of: client) }

    /// Adds somebody who is told each time that there may be new events, and reads them by their numbers.
    mutating func follow() -> AsyncStream<Void> {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if hub.isClosed { continuation.finish() } else { followers.append(continuation) }
        return arrivals
    }

    /// Tells the followers.
    mutating func tellFollowers() {
        followers.removeAll { if case .terminated = $0.yield() { true } else { false } }
    }

    /// The events after a number, if memory holds them all; otherwise `nil`.
    func missed(after number: Int64) -> [Event]? {
        if number >= lastNumber { return [] }
        guard let first = recent.first, first.number <= number + 1 else { return nil }
        return Array(recent.drop { $0.number <= number })
    }

    /// Ends all listeners and accepts no more.
    mutating func close() -> [Continuation] {
        for follower in followers { follower.finish() }
        followers = []
        return hub.close()
    }
}
