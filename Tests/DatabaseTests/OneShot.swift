import Dispatch

/// A signal from a task to a thread that waits for it.
final class OneShot: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }
    /// Waits for the signal, 30 seconds at most.
    func wait() { _ = semaphore.wait(timeout: .now() + 30) }
}
