import NIOCore
import Synchronization

@testable import MediaStorage

/// A store of objects that consist of ``testBytes(_:)``. A test decides when and how reads are answered.
final class FakeStore: MediaStore {
    struct Read: Sendable, Hashable {
        var key: String
        var range: Range<Int64>
        var version: String?
    }

    private struct State {
        var reads: [Read] = []
        /// Reads that wait for the test, by their numbers.
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var isGated = false
        var failure: MediaStorageError?
    }

    private let state = Mutex(State())

    /// All reads so far.
    var reads: [Read] { state.withLock { $0.reads } }
    var ranges: [Range<Int64>] { reads.map(\.range) }
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether reads wait until the test lets them go on.
    func setGated(_ isGated: Bool) { state.withLock { $0.isGated = isGated } }

    /// The error of all reads from now on; `nil` for none.
    func setFailure(_ failure: MediaStorageError?) { state.withLock { $0.failure = failure } }

    /// Lets all waiting reads go on.
    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    func read(
        _ key: String, range: Range<Int64>, version: String?, _ body: (ByteBuffer) async throws -> Void
    ) async throws {
        let (number, isGated) = state.withLock { state in
            state.reads.append(Read(key: key, range: range, version: version))
            return (state.reads.count, state.isGated)
        }
        if isGated { try await wait(number) }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        // In pieces that do not fit the blocks.
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(range.upperBound, start + 50_001)
            try await body(ByteBuffer(bytes: testBytes(start..<end)))
            start = end
        }
    }

    private func wait(_ number: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.waiting[number] = continuation }
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
    }

    private let heads = Mutex<[String: StoredObject]>([:])

    func setHead(_ object: StoredObject) { heads.withLock { $0[object.key] = object } }

    func head(_ key: String) async throws -> StoredObject? { heads.withLock { $0[key] } }

    func put(fileAt path: String, as key: String, contentType: String) async throws -> StoredObject {
        throw MediaStorageError(.refused, "read only")
    }

    func list(prefix: String, after: String?, limit: Int) async throws -> [StoredObject] { [] }
    func delete(_ key: String) async throws {}
    func copy(_ key: String, to other: String) async throws {}
}
