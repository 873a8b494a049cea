import NIOCore

/// Waiters to be answered without the channel's lock.
struct ReleasedWaiters: Sendable {
    private typealias Answers = [(promise: EventLoopPromise<Bool>, hasCome: Bool)]
    private var byLoop: [ObjectIdentifier: (loop: any EventLoop, answers: Answers)] = [:]

    mutating func append(_ promise: EventLoopPromise<Bool>, _ hasCome: Bool) {
        let loop = promise.futureResult.eventLoop
        byLoop[ObjectIdentifier(loop), default: (loop, [])].answers.append((promise, hasCome))
    }

    /// Answers all waiters, with one task per loop, however many wait there.
    func answer() {
        for (loop, answers) in byLoop.values {
            if loop.inEventLoop {
                for (promise, hasCome) in answers { promise.succeed(hasCome) }
            } else {
                loop.execute { for (promise, hasCome) in answers { promise.succeed(hasCome) } }
            }
        }
    }
}
