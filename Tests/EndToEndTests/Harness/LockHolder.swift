import Dispatch
import TestSupport

/// Lets a transaction of a test stay open until the test says so.
final class LockHolder: Sendable {
    private let held = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// Called in the transaction, on the database's thread: returns after ``release()``, or after a minute.
    func hold() {
        held.signal()
        _ = released.wait(timeout: .now() + 60)
    }

    func waitUntilHeld() async throws {
        try await eventually("the lock is held") { held.wait(timeout: .now()) == .success ? () : nil }
    }

    func release() { released.signal() }
}
