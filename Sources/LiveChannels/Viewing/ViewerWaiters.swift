import NIOCore

/// Viewers whose requests are held until the channel has what they ask for.
struct ViewerWaiters: Sendable {
    private struct Waiter: Sendable {
        var moment: LiveMoment
        var promise: EventLoopPromise<Bool>
    }

    private var waiters: [Int: Waiter] = [:]

    var count: Int { waiters.count }

    mutating func append(_ identifier: Int, for moment: LiveMoment, promise: EventLoopPromise<Bool>) {
        waiters[identifier] = Waiter(moment: moment, promise: promise)
    }

    mutating func remove(_ identifier: Int) -> EventLoopPromise<Bool>? {
        waiters.removeValue(forKey: identifier)?.promise
    }

    /// Takes out those whose moment has come, or will not come.
    mutating func take(where isOver: (LiveMoment) -> Bool) -> ReleasedWaiters {
        guard !waiters.isEmpty else { return ReleasedWaiters() }
        // Thousands wait for the same few moments.
        var known: [LiveMoment: Bool] = [:]
        var released = ReleasedWaiters()
        for (identifier, waiter) in waiters {
            let isOver = known[waiter.moment] ?? isOver(waiter.moment)
            known[waiter.moment] = isOver
            guard isOver else { continue }
            released.append(waiter.promise)
            waiters.removeValue(forKey: identifier)
        }
        return released
    }

    mutating func takeAll() -> ReleasedWaiters { take { _ in true } }
}

/// Waiters that are to be answered, without the channel's lock.
struct ReleasedWaiters: Sendable {
    private var byLoop: [ObjectIdentifier: (loop: any EventLoop, promises: [EventLoopPromise<Bool>])] = [:]

    fileprivate mutating func append(_ promise: EventLoopPromise<Bool>) {
        let loop = promise.futureResult.eventLoop
        byLoop[ObjectIdentifier(loop), default: (loop, [])].promises.append(promise)
    }

    /// One task a loop, however many wait there.
    func answer(_ hasCome: Bool) {
        for (loop, promises) in byLoop.values {
            if loop.inEventLoop {
                for promise in promises { promise.succeed(hasCome) }
            } else {
                loop.execute { for promise in promises { promise.succeed(hasCome) } }
            }
        }
    }
}
