import Synchronization

/// The chunks of a download that are missing, shared by its connections.
final class ChunkQueue: Sendable {
    private struct State {
        /// Missing chunks, the first at the end.
        var missing: [Int]
        /// Bytes of good chunks, and of those that are arriving.
        var receivedByteCount: Int64
        /// Bytes that came over the network, also those that were thrown away.
        var transferredByteCount: Int64 = 0
        var failureCount = 0
    }

    private let state: Mutex<State>

    init(_ map: ChunkMap, goodByteCount: Int64) {
        state = Mutex(
            State(
                missing: (0..<map.count).filter { !map.contains($0) }.reversed(), receivedByteCount: goodByteCount))
    }

    /// A chunk to fetch; `nil` if all have been taken.
    func next() -> Int? { state.withLock { $0.missing.popLast() } }

    /// Notes bytes that have arrived.
    ///
    /// - Returns: the bytes that are here.
    func note(_ byteCount: Int) -> Int64 {
        state.withLock { state in
            state.receivedByteCount += Int64(byteCount)
            state.transferredByteCount += Int64(byteCount)
            state.failureCount = 0
            return state.receivedByteCount
        }
    }

    /// Notes that bytes which had arrived are worth nothing.
    func discard(_ byteCount: Int) { state.withLock { $0.receivedByteCount -= Int64(byteCount) } }

    /// Notes a failure.
    ///
    /// - Returns: the failures of all connections in a row.
    func noteFailure() -> Int {
        state.withLock { state in
            state.failureCount += 1
            return state.failureCount
        }
    }

    var receivedByteCount: Int64 { state.withLock(\.receivedByteCount) }
    var transferredByteCount: Int64 { state.withLock(\.transferredByteCount) }
}
