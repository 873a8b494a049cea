import NIOCore

/// Viewers whose requests are held until the channel has what they ask for.
struct ViewerWaiters: Sendable {
    private struct Waiter: Sendable {
        var awaited: AwaitedMedia
        var promise: EventLoopPromise<Bool>
    }

    private var waiters: [Int: Waiter] = [:]

    var count: Int { waiters.count }

    mutating func append(_ identifier: Int, for awaited: AwaitedMedia, promise: EventLoopPromise<Bool>) {
        waiters[identifier] = Waiter(awaited: awaited, promise: promise)
    }

    mutating func remove(_ identifier: Int) -> EventLoopPromise<Bool>? {
        waiters.removeValue(forKey: identifier)?.promise
    }

    /// Removes the waiters that can be answered.
    ///
    /// - Parameter answer: whether the awaited position has been reached; `nil` while it still may be.
    mutating func take(_ answer: (AwaitedMedia) -> Bool?) -> ReleasedWaiters {
        // Thousands wait for the same few positions.
        var known: [AwaitedMedia: Bool?] = [:]
        var released = ReleasedWaiters()
        var over: [Int] = []
        for (identifier, waiter) in waiters {
            let hasCome = known[waiter.awaited] ?? answer(waiter.awaited)
            known[waiter.awaited] = .some(hasCome)
            guard let hasCome else { continue }
            released.append(waiter.promise, hasCome)
            over.append(identifier)
        }
        // Waiters are removed only now: a dictionary that is changed while it is iterated is copied.
        for identifier in over { waiters.removeValue(forKey: identifier) }
        return released
    }
}
