import NIOCore

/// Viewers whose requests are held until the channel has what they ask for.
///
/// Thousands wait for the same few positions, so they are kept by what they wait for: a new part looks at the
/// positions, not at the viewers.
struct ViewerWaiters: Sendable {
    private struct Waiter: Sendable {
        var promise: EventLoopPromise<Bool>
        var deadline: NIODeadline
    }

    private var waiters: [AwaitedMedia: [Int: Waiter]] = [:]
    /// The time of the timer that counts; `nil` if none runs. Others may run, set before an earlier one was needed.
    private var nextTimer: NIODeadline?

    var count: Int { waiters.values.reduce(0) { $0 + $1.count } }

    /// Adds a waiter.
    ///
    /// - Returns: the time at which ``timerFired(_:now:)`` has to be called; `nil` if a timer runs already.
    mutating func append(
        _ identifier: Int, for awaited: AwaitedMedia, until deadline: NIODeadline, promise: EventLoopPromise<Bool>
    ) -> NIODeadline? {
        waiters[awaited, default: [:]][identifier] = Waiter(promise: promise, deadline: deadline)
        return timer(before: deadline)
    }

    /// Sets the timer that counts if there is none, or only a later one.
    private mutating func timer(before deadline: NIODeadline) -> NIODeadline? {
        guard deadline != .distantFuture, nextTimer.map({ deadline < $0 }) ?? true else { return nil }
        nextTimer = deadline
        return deadline
    }

    mutating func remove(_ identifier: Int) -> EventLoopPromise<Bool>? {
        for index in waiters.indices {
            guard let waiter = waiters.values[index].removeValue(forKey: identifier) else { continue }
            if waiters.values[index].isEmpty { waiters.remove(at: index) }
            return waiter.promise
        }
        return nil
    }

    /// Removes the waiters that can be answered.
    ///
    /// - Parameter answer: whether the awaited position has been reached; `nil` while it still may be.
    mutating func take(_ answer: (AwaitedMedia) -> Bool?) -> ReleasedWaiters {
        var released = ReleasedWaiters()
        for awaited in Array(waiters.keys) {
            guard let hasCome = answer(awaited), let over = waiters.removeValue(forKey: awaited) else { continue }
            for waiter in over.values { released.append(waiter.promise, hasCome) }
        }
        return released
    }

    /// Removes the waiters that have waited long enough.
    ///
    /// - Parameters:
    ///   - time: the time for which the timer was set. A timer that an earlier one has replaced does nothing.
    ///   - now: the time on the event loop.
    /// - Returns: the waiters, and the time of the next call; `nil` if none is needed.
    mutating func timerFired(
        _ time: NIODeadline, now: NIODeadline
    ) -> (released: ReleasedWaiters, next: NIODeadline?) {
        guard time == nextTimer else { return (ReleasedWaiters(), nil) }
        nextTimer = nil
        let released = takeExpired(now: now)
        return (released, waiters.values.lazy.flatMap(\.values).map(\.deadline).min().flatMap { timer(before: $0) })
    }

    private mutating func takeExpired(now: NIODeadline) -> ReleasedWaiters {
        var released = ReleasedWaiters()
        for awaited in Array(waiters.keys) {
            let expired = waiters[awaited, default: [:]].filter { $0.value.deadline <= now }
            for (identifier, waiter) in expired {
                waiters[awaited]?[identifier] = nil
                released.append(waiter.promise, false)
            }
            if waiters[awaited]?.isEmpty == true { waiters[awaited] = nil }
        }
        return released
    }
}
