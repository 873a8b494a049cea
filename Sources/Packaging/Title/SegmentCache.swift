package import NIOCore
import Synchronization

/// Hot segments in memory, bounded in bytes.
///
/// The page cache is the first cache; this one spares the work of encrypting what many watch at once. So a segment is
/// kept only when it is asked for again soon after it was first made, and random seeking leaves no trace.
package final class SegmentCache: Sendable {
    package struct Key: Hashable, Sendable {
        /// ``PackagedTitle/instance``
        package var title: Int
        package var rendition: String
        package var number: Int

        package init(title: Int, rendition: String, number: Int) {
            self.title = title
            self.rendition = rendition
            self.number = number
        }
    }

    private struct State {
        var kept: RecentSegments<Key>
        /// Keys read once lately, in a ring.
        var recent: [Key] = []
        var recentPosition = 0
    }

    private let state: Mutex<State>
    private let maximumByteCount: Int

    package static let defaultByteCount = 64 << 20
    /// Keys remembered of segments that were read once.
    static let recentCount = 256

    package init(maximumByteCount: Int) {
        self.maximumByteCount = maximumByteCount
        state = Mutex(State(kept: RecentSegments(maximumByteCount: maximumByteCount)))
    }

    package func segment(_ key: Key) -> ByteBuffer? { state.withLock { $0.kept.segment(key) } }

    /// A segment, and what is held with it.
    package func entry(_ key: Key) -> (segment: ByteBuffer, holding: (any AnyObject & Sendable)?)? {
        state.withLock { $0.kept.entry(key) }
    }

    /// A segment that has just been made: kept if it was made lately already.
    ///
    /// - Parameter holding: is let go of together with the segment.
    package func offer(_ segment: ByteBuffer, key: Key, holding: (any AnyObject & Sendable)? = nil) {
        guard segment.readableBytes <= maximumByteCount / 4 else { return }
        state.withLock { state in
            guard !state.kept.holds(key) else { return }
            guard state.recent.contains(key) else { return Self.remember(key, in: &state) }
            state.kept.keep(segment, key: key, holding: holding)
        }
    }

    /// Bytes held.
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
