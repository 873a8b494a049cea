import Dispatch
import Synchronization

/// Runs an asynchronous function to its end on a thread of its own while the caller waits, for fixtures that are made
/// in synchronous initializers.
package func waiting<Value: Sendable>(
    for body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let end = DispatchSemaphore(value: 0)
    let engine = TestEngine.current
    let executor = ThreadExecutor()
    let task = Task(executorPreference: executor) {
        do {
            let value = try await TestEngine.$current.withValue(engine) { try await body() }
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        end.signal()
    }
    end.wait()
    withExtendedLifetime((task, executor)) {}
    guard let outcome = result.withLock({ $0 }) else { preconditionFailure("the task has ended") }
    return try outcome.get()
}

/// Not the shared pool, whose threads may all be waiting.
private final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "waiting")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
