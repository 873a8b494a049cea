package import NIOCore
import Synchronization

/// A memory cache of segments in demand, bounded in bytes.
///
/// The page cache is the first cache; this one saves encrypting what many viewers watch at once. A segment is therefore
/// kept only if it is requested again soon after it was first made, and random seeking leaves no trace.
package final class SegmentCache: Sendable {
    /// The identity of a segment.
    package struct Key: Hashable, Sendable {
        /// The title's ``PackagedTitle/instance``.
        package var title: Int
        package var rendition: String
        package var number: Int

        /// Creates a key.
        package init(title: Int, rendition: String, number: Int) {
            self.title = title
            self.rendition = rendition
            self.number = number
        }
    }

    private struct State {
        var kept: RecentSegments<Key>
        /// Keys that were requested once recently, in a ring.
        var recent: [Key] = []
        var recentPosition = 0
    }

    private let state: Mutex<State>
    private let maximumByteCount: Int

    /// The default size of the cache in bytes.
    package static let defaultByteCount = 64 << 20
    /// The number of remembered keys of segments that were requested once.
    static let recentCount = 256

    /// Creates an empty cache.
    package init(maximumByteCount: Int) {
        self.maximumByteCount = maximumByteCount
        state = Mutex(State(kept: RecentSegments(maximumByteCount: maximumByteCount)))
    }

    /// Returns a cached segment; `nil` if there is none.
    package func segment(_ key: Key) -> ByteBuffer? { state.withLock { $0.kept.segment(key) } }

    /// Returns a cached segment and the object held with it; `nil` if there is none.
    package func entry(_ key: Key) -> (segment: ByteBuffer, holding: (any AnyObject & Sendable)?)? {
        state.withLock { $0.kept.entry(key) }
    }

    /// Offers a segment that has just been made; it is kept if it was offered recently before.
    ///
    /// - Parameter holding: An object that is released together with the segment.
    package func offer(_ segment: ByteBuffer, key: Key, holding: (any AnyObject & Sendable)? = nil) {
        guard segment.readableBytes <= maximumByteCount / 4 else { return }
        state.withLock { state in
            guard !state.kept.holds(key) else { return }
            guard state.recent.contains(key) else { return Self.remember(key, in: &state) }
            state.kept.keep(segment, key: key, holding: holding)
        }
    }

    /// The number of bytes held.
    package var byteCount: Int { state.withLock(\.kept.byteCount) }

    private static func remember(_ key: Key, in state: inout State) {
        if state.recent.count < recentCount {
            state.recent.append(key)
        } else {
            state.recent[state.recentPosition] = key
            state.recentPosition = (state.recentPosition + 1) % recentCount
        }
    }
}
