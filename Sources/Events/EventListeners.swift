import MediaCore

/// The listeners, and the newest events. A value that ``EventJournal`` keeps behind a lock.
struct EventListeners {
    private struct Entry {
        var continuation: AsyncStream<EventMessage>.Continuation
        var client: AddressGroup
    }

    private var entries: [UInt64: Entry] = [:]
    private var countByClient: [AddressGroup: Int] = [:]
    /// The number of those who get events in another way.
    private var placeCount = 0
    /// Told that there may be new events.
    private var followers: [AsyncStream<Void>.Continuation] = []
    private var lastListener: UInt64 = 0
    /// The newest events, in their order.
    private var recent: [Event] = []
    /// The last number that was sent to listeners.
    private(set) var lastNumber: Int64 = 0
    private var isClosed = false

    var count: Int { entries.count + placeCount }

    /// Begins with what the journal holds.
    mutating func begin(_ events: [Event], lastNumber: Int64) {
        recent = events
        self.lastNumber = max(lastNumber, events.last?.number ?? 0)
    }

    /// Sends events to all listeners. One that does not keep up is disconnected; it may come back and say what it has
    /// seen.
    ///
    /// - Parameter events: events after ``lastNumber``, in their order.
    mutating func send(_ events: [Event]) {
        guard let last = events.last else { return }
        lastNumber = last.number
        recent += events
        if recent.count > 2 * EventJournal.recentCount {
            recent.removeFirst(recent.count - EventJournal.recentCount)
        }
        for event in events { send(.event(event)) }
    }

    /// Sends a heartbeat to all listeners.
    mutating func beat() { send(.heartbeat) }

    private mutating func send(_ message: EventMessage) {
        var lost: [UInt64] = []
        for (number, entry) in entries {
            if case .enqueued = entry.continuation.yield(message) { continue }
            lost.append(number)
        }
        for number in lost { remove(number)?.finish() }
    }

    /// Adds a listener.
    ///
    /// - Returns: its number and its messages from now on.
    mutating func add(
        _ client: AddressGroup
    ) throws(EventListeningError) -> (number: UInt64, AsyncStream<EventMessage>, AsyncStream<EventMessage>.Continuation)
    {
        guard !isClosed else { throw EventListeningError(reason: "the server is shutting down") }
        guard count < EventJournal.maximumListenerCount else {
            throw EventListeningError(reason: "\(count) listeners are already connected; try again later")
        }
        let own = countByClient[client, default: 0]
        guard client.isLoopback || own < EventJournal.maximumListenerCountPerClient else {
            throw EventListeningError(reason: "\(own) listeners from this address are already connected")
        }
        lastListener += 1
        countByClient[client] = own + 1
        let (messages, continuation) = AsyncStream.makeStream(
            of: EventMessage.self, bufferingPolicy: .bufferingOldest(EventJournal.maximumBufferedCount))
        entries[lastListener] = Entry(continuation: continuation, client: client)
        return (lastListener, messages, continuation)
    }

    /// Removes a listener.
    mutating func remove(_ number: UInt64) -> AsyncStream<EventMessage>.Continuation? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        uncount(entry.client)
        return entry.continuation
    }

    private mutating func uncount(_ client: AddressGroup) {
        let left = countByClient[client, default: 1] - 1
        countByClient[client] = left > 0 ? left : nil
    }

    /// Removes a listener, whose place stays taken until ``freePlace(of:)``.
    mutating func handOver(_ number: UInt64) -> (AsyncStream<EventMessage>.Continuation, client: AddressGroup)? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        placeCount += 1
        return (entry.continuation, entry.client)
    }

    mutating func freePlace(of client: AddressGroup) {
        placeCount -= 1
        uncount(client)
    }

    /// Adds somebody who is told each time that there may be new events, and reads them by their numbers.
    mutating func follow() -> AsyncStream<Void> {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if isClosed { continuation.finish() } else { followers.append(continuation) }
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
    mutating func close() -> [AsyncStream<EventMessage>.Continuation] {
        isClosed = true
        for follower in followers { follower.finish() }
        followers = []
        defer { (entries, countByClient) = ([:], [:]) }
        return entries.values.map(\.continuation)
    }
}
