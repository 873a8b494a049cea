import Synchronization

/// Limits the requests that run at the same time, and those that wait for their turn.
final class RequestSlots: Sendable {
    private struct State {
        var freeCount: Int
        /// In the order of their arrival.
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextID: UInt64 = 0
    }

    private let state: Mutex<State>
    private let maximumWaitingCount: Int

    init(count: Int, maximumWaitingCount: Int) {
        state = Mutex(State(freeCount: count))
        self.maximumWaitingCount = maximumWaitingCount
    }

    /// Runs work while it holds a slot.
    ///
    /// - Throws: ``MediaStorageError`` with `busy` if too many wait already, and what `work` throws.
    func withSlot<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await acquire()
        defer { release() }
        return try await work()
    }

    private func acquire() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(id, continuation)
                // A task that was cancelled before it waited has not been found by the handler.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func begin(_ id: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if state.freeCount > 0 {
                state.freeCount -= 1
                return .success(())
            }
            guard state.waiting.count < maximumWaitingCount else {
                return .failure(
                    MediaStorageError(
                        .busy, "\(maximumWaitingCount) requests to the store are already waiting; try again later"))
            }
            state.waiting.append((id, continuation))
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func cancel(_ id: UInt64) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiting.isEmpty else {
                state.freeCount += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
