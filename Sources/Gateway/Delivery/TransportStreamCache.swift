import NIOCore
import Synchronization

/// MPEG-TS segments that have been muxed, bounded in bytes, and those that are being muxed: whoever asks for one of
/// those waits for it with the one who asked first.
final class TransportStreamCache: Sendable {
    struct Key: Hashable, Sendable {
        var channel: String
        var epoch: String
        var mediaSequence: Int
    }

    enum Claim {
        case ready(ByteBuffer)
        case pending(EventLoopFuture<ByteBuffer>)
        /// The caller has it muxed, and calls ``finish(_:key:)`` in any case.
        case first(EventLoopFuture<ByteBuffer>)
    }

    private struct Entry {
        var segment: ByteBuffer
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        var useCount: UInt64 = 0
        var waiting: [Key: [EventLoopPromise<ByteBuffer>]] = [:]
    }

    private let state = Mutex(State())
    private let maximumByteCount: Int

    /// What viewers of a dozen channels ask for at a time: the newest few segments of each.
    static let defaultByteCount = 64 << 20

    init(maximumByteCount: Int = TransportStreamCache.defaultByteCount) { self.maximumByteCount = maximumByteCount }

    func claim(_ key: Key, on eventLoop: any EventLoop) -> Claim {
        state.withLock { state in
            state.useCount += 1
            if let segment = state.entries[key]?.segment {
                state.entries[key]?.lastUse = state.useCount
                return .ready(segment)
            }
            let promise = eventLoop.makePromise(of: ByteBuffer.self)
            let isFirst = state.waiting[key] == nil
            state.waiting[key, default: []].append(promise)
            return isFirst ? .first(promise.futureResult) : .pending(promise.futureResult)
        }
    }

    /// On any thread.
    func finish(_ result: Result<ByteBuffer, any Error>, key: Key) {
        let waiting = state.withLock { state in
            if case .success(let segment) = result { store(segment, key: key, in: &state) }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for promise in waiting { promise.completeWith(result) }
    }

    private func store(_ segment: ByteBuffer, key: Key, in state: inout State) {
        guard segment.readableBytes <= maximumByteCount, state.entries[key] == nil else { return }
        state.entries[key] = Entry(segment: segment, lastUse: state.useCount)
        state.byteCount += segment.readableBytes
        while state.byteCount > maximumByteCount,
            let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            state.byteCount -= oldest.value.segment.readableBytes
            state.entries.removeValue(forKey: oldest.key)
        }
    }

    /// Bytes held.
    var byteCount: Int { state.withLock(\.byteCount) }
}
