import NIOCore
import Packaging
import Synchronization

/// A muxed segment, with what it takes of the delivery budget.
struct MuxedSegment: Sendable {
    var bytes: ByteBuffer
    var charge: (any AnyObject & Sendable)?
}

/// MPEG-TS segments that have been muxed, bounded in bytes, and those that are being muxed: whoever asks for one of
/// those waits for it with the one who asked first.
final class TransportStreamCache: Sendable {
    struct Key: Hashable, Sendable {
        /// A channel's name, or what tells a title from all others.
        var source: String
        /// Of a title its revision, which changes with its key.
        var epoch: String
        var mediaSequence: Int
    }

    enum Claim {
        case ready(MuxedSegment)
        case pending(EventLoopFuture<MuxedSegment>)
        /// The caller has it muxed, and calls ``finish(_:key:)`` in any case.
        case first(EventLoopFuture<MuxedSegment>)
    }

    private struct State {
        var kept: RecentSegments<Key>
        var waiting: [Key: [EventLoopPromise<MuxedSegment>]] = [:]
    }

    private let state: Mutex<State>

    /// What viewers of a dozen channels ask for at a time: the newest few segments of each.
    static let defaultByteCount = 64 << 20

    init(maximumByteCount: Int = TransportStreamCache.defaultByteCount) {
        state = Mutex(State(kept: RecentSegments(maximumByteCount: maximumByteCount)))
    }

    /// A segment that is there or being muxed; `nil` when the caller would be the first to ask.
    func join(_ key: Key, on eventLoop: any EventLoop) -> EventLoopFuture<MuxedSegment>? {
        state.withLock { state in
            if let entry = state.kept.entry(key) {
                return eventLoop.makeSucceededFuture(MuxedSegment(bytes: entry.segment, charge: entry.holding))
            }
            guard state.waiting[key] != nil else { return nil }
            let promise = eventLoop.makePromise(of: MuxedSegment.self)
            state.waiting[key]?.append(promise)
            return promise.futureResult
        }
    }

    func claim(_ key: Key, on eventLoop: any EventLoop) -> Claim {
        state.withLock { state in
            if let entry = state.kept.entry(key) {
                return .ready(MuxedSegment(bytes: entry.segment, charge: entry.holding))
            }
            let promise = eventLoop.makePromise(of: MuxedSegment.self)
            let isFirst = state.waiting[key] == nil
            state.waiting[key, default: []].append(promise)
            return isFirst ? .first(promise.futureResult) : .pending(promise.futureResult)
        }
    }

    /// On any thread.
    func finish(_ result: Result<MuxedSegment, any Error>, key: Key) {
        let waiting = state.withLock { state in
            if case .success(let segment) = result {
                state.kept.keep(segment.bytes, key: key, holding: segment.charge)
            }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for promise in waiting { promise.completeWith(result) }
    }

    /// Bytes held.
    var byteCount: Int { state.withLock(\.kept.byteCount) }
}
