import NIOCore
import Packaging
import Synchronization

/// Caches muxed MPEG-TS segments up to a number of bytes, and shares segments that are being muxed: concurrent requests
/// wait for the first one's result.
final class TransportStreamCache: Sendable {
    struct Key: Hashable, Sendable {
        /// The channel's name, or a string that identifies the title.
        var source: String
        /// The channel's epoch, or the title's revision, which changes with its key.
        var epoch: String
        var mediaSequence: Int
    }

    enum Claim {
        /// The segment is in the cache.
        case ready(MuxedSegment)
        /// Another request is muxing the segment.
        case pending(EventLoopFuture<MuxedSegment>)
        /// The caller has to mux the segment and to call ``finish(_:key:)`` in any case.
        case first(EventLoopFuture<MuxedSegment>)
    }

    private struct State {
        var kept: RecentSegments<Key>
        var waiting: [Key: [EventLoopPromise<MuxedSegment>]] = [:]
    }

    private let state: Mutex<State>

    /// The newest few segments of a dozen channels, which their viewers request concurrently.
    static let defaultByteCount = 64 << 20

    init(maximumByteCount: Int = TransportStreamCache.defaultByteCount) {
        state = Mutex(State(kept: RecentSegments(maximumByteCount: maximumByteCount)))
    }

    /// A segment that is cached or being muxed; `nil` if the caller would be the first to request it.
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

    /// Looks a segment up, and registers the caller as the one that muxes it if it is the first.
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

    /// Completes a segment that the caller has claimed. May be called on any thread.
    func finish(_ result: Result<MuxedSegment, any Error>, key: Key) {
        let waiting = state.withLock { state in
            if case .success(let segment) = result {
                state.kept.keep(segment.bytes, key: key, holding: segment.charge)
            }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for promise in waiting { promise.completeWith(result) }
    }

    /// Number of cached bytes.
    var byteCount: Int { state.withLock(\.kept.byteCount) }
}
