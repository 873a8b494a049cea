/// Listeners who are sent messages until they leave, do not keep up, or the server stops. A value that its owner keeps
/// behind a lock.
///
/// Each listener belongs to a group, such as the clients of one address or the devices of one member, so that no group
/// takes all places. The owner finishes the streams of removed listeners without its lock, because a stream that ends
/// calls its owner.
package struct ListenerHub<Group: Hashable & Sendable, Message: Sendable>: Sendable {
    /// The number of a listener in its hub.
    package typealias Number = UInt64
    package typealias Continuation = AsyncStream<Message>.Continuation

    /// A listener that was just added.
    package struct Place: Sendable {
        package let number: Number
        /// The messages from now on.
        package let messages: AsyncStream<Message>
        package let continuation: Continuation
    }

    /// The reason for which there is no place.
    package enum NoPlace: Error {
        /// The hub is closed.
        case closed
        /// All places are taken.
        case full
        /// The group has as many as it may have.
        case groupFull
    }

    /// Limits of listeners, in all and of one group.
    package let maximumCount: Int
    package let maximumCountPerGroup: Int
    private let buffering: Continuation.BufferingPolicy

    private var entries: [Number: (continuation: Continuation, group: Group)] = [:]
    private var counts: [Group: Int] = [:]
    /// The number of those who get their messages in another way.
    private var handedOverCount = 0
    private var lastNumber: Number = 0
    package private(set) var isClosed = false

    /// - Parameters:
    ///   - maximumCount: limit of listeners.
    ///   - maximumCountPerGroup: limit of listeners of one group.
    ///   - buffering: the messages that wait for one listener. One whose buffer of the oldest is full is removed; one
    ///     that only needs the newest is not.
    package init(maximumCount: Int, maximumCountPerGroup: Int, buffering: Continuation.BufferingPolicy) {
        (self.maximumCount, self.maximumCountPerGroup, self.buffering) = (maximumCount, maximumCountPerGroup, buffering)
    }

    package var count: Int { entries.count + handedOverCount }
    package var groups: [Group] { Array(counts.keys) }
    /// The number of listeners of a group.
    package func count(of group: Group) -> Int { counts[group, default: 0] }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - group: the group that it belongs to.
    ///   - isLimited: whether the limit of a group counts for this one.
    package mutating func add(_ group: Group, isLimited: Bool = true) throws(NoPlace) -> Place {
        guard !isClosed else { throw .closed }
        guard count < maximumCount else { throw .full }
        guard !isLimited || count(of: group) < maximumCountPerGroup else { throw .groupFull }
        lastNumber += 1
        counts[group, default: 0] += 1
        let (messages, continuation) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: buffering)
        entries[lastNumber] = (continuation, group)
        return Place(number: lastNumber, messages: messages, continuation: continuation)
    }

    /// Removes a listener; `nil` if it is gone already.
    package mutating func remove(_ number: Number) -> Continuation? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        uncount(entry.group)
        return entry.continuation
    }

    /// Removes the oldest listener of the group that has most of them, in favour of a group that has at least two
    /// fewer.
    ///
    /// - Returns: `nil` if no group has so many.
    package mutating func removeOldest(inFavourOf group: Group) -> Continuation? {
        guard let largest = counts.max(by: { $0.value < $1.value }), largest.value > count(of: group) + 1,
            let oldest = entries.filter({ $0.value.group == largest.key }).keys.min()
        else { return nil }
        return remove(oldest)
    }

    /// Removes a listener, whose place stays taken until ``freePlace(of:)``.
    package mutating func handOver(_ number: Number) -> (continuation: Continuation, group: Group)? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        handedOverCount += 1
        return entry
    }

    package mutating func freePlace(of group: Group) {
        handedOverCount -= 1
        uncount(group)
    }

    private mutating func uncount(_ group: Group) {
        let left = counts[group, default: 1] - 1
        counts[group] = left > 0 ? left : nil
    }

    /// Sends a message to all listeners.
    ///
    /// - Returns: those that did not keep up, which are removed. They may come back and say what they have seen.
    package mutating func send(_ message: Message) -> [Continuation] {
        var lost: [Number] = []
        for (number, entry) in entries where !entry.continuation.accepts(message, buffering) { lost.append(number) }
        return lost.compactMap { remove($0) }
    }

    /// Sends a message to one listener.
    package func send(_ message: Message, to number: Number) { entries[number]?.continuation.yield(message) }

    /// Accepts no more listeners.
    ///
    /// - Returns: the ones that were there.
    package mutating func close() -> [Continuation] {
        isClosed = true
        defer { (entries, counts) = ([:], [:]) }
        return entries.values.map(\.continuation)
    }
}

extension AsyncStream.Continuation where Element: Sendable {
    /// Whether a message is kept for a listener, who is still there.
    fileprivate func accepts(_ message: Element, _ buffering: BufferingPolicy) -> Bool {
        switch (yield(message), buffering) {
        case (.enqueued, _), (.dropped, .bufferingNewest): true
        default: false
        }
    }
}
