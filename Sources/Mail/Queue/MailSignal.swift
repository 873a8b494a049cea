import Synchronization

/// Wakes the one task that waits for something to do.
final class MailSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Wakes the task that waits, or the next one that wants to.
    func set() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let waiter = state.waiter else {
                state.isSet = true
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// Waits until ``set()`` is called, or the task is cancelled. Only one task waits at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSet = state.withLock { state -> Bool in
                    if state.isSet || Task.isCancelled {
                        state.isSet = false
                        return true
                    }
                    precondition(state.waiter == nil, "only one task waits for a signal")
                    state.waiter = continuation
                    return false
                }
                if isSet { continuation.resume() }
            }
        } onCancel: {
            set()
        }
    }
}
