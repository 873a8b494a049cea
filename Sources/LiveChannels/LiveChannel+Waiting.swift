package import NIOCore

extension LiveChannel {
    /// Viewers that may wait for a channel's first segment at once; the next ones are told to come again.
    package static let maximumWaiterCount = 10_000

    /// Waits for a channel that is live, or about to be, to have something to play.
    ///
    /// - Parameter identifier: unique among the waiting; for ``stopWaiting(_:)``.
    /// - Returns: whether it has; false at once where nobody pushes.
    package func waitUntilPlayable(identifier: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let promise = eventLoop.makePromise(of: Bool.self)
        let answer: Bool? = withState { state in
            if state.window.isPlayable { return true }
            if state.epoch == nil || state.waiters.count >= Self.maximumWaiterCount { return false }
            state.waiters.append(Waiter(identifier: identifier, promise: promise))
            return nil
        }
        if let answer { promise.succeed(answer) }
        return promise.futureResult
    }

    /// The viewer went away, or has waited long enough.
    package func stopWaiting(_ identifier: Int) {
        let waiter = withState { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.identifier == identifier }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.promise.succeed(false)
    }
}
