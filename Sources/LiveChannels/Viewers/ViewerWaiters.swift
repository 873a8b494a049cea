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
    private(set) var count = 0

    /// The time at which the first of them has waited long enough; `nil` if nobody waits.
    var earliestDeadline: NIODeadline? { waiters.values.lazy.flatMap(\.values).map(\.deadline).min() }

    mutating func append(
        _ identifier: Int, for awaited: AwaitedMedia, until deadline: NIODeadline, promise: EventLoopPromise<Bool>
    ) {
        let former = waiters[awaited, default: [:]].updateValue(
            Waiter(promise: promise, deadline: deadline), forKey: identifier)
        if former == nil { count += 1 }
    }

    mutating func remove(_ identifier: Int) -> EventLoopPromise<Bool>? {
        for index in waiters.indices {
            guard let waiter = waiters.values[index].removeValue(forKey: identifier) else { continue }
            if waiters.values[index].isEmpty { waiters.remove(at: index) }
            count -= 1
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
            count -= over.count
        }
        return released
    }

    /// Removes the waiters that have waited long enough.
    mutating func takeExpired(now: NIODeadline) -> ReleasedWaiters {
        var released = ReleasedWaiters()
        for awaited in Array(waiters.keys) {
            let expired = waiters[awaited, default: [:]].filter { $0.value.deadline <= now }
            for (identifier, waiter) in expired {
                waiters[awaited]?[identifier] = nil
                released.append(waiter.promise, false)
            }
            if waiters[awaited]?.isEmpty == true { waiters[awaited] = nil }
            count -= expired.count
        }
        return released
    }
}
