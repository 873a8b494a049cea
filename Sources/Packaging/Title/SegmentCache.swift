package import NIOCore
import Synchronization

/// Hot segments in memory, bounded in bytes.
///
/// The page cache is the first cache; this one spares the copy out of it for what many watch at once. So a segment is
/// kept only when it is asked for again soon after it was first read, and random seeking leaves no trace.
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

    private struct Entry {
        var segment: ByteBuffer
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        var useCount: UInt64 = 0
        /// Keys read once lately, in a ring.
        var recent: [Key] = []
        var recentPosition = 0
    }

    private let state = Mutex(State())
    private let maximumByteCount: Int

    package static let defaultByteCount = 64 << 20
    /// Keys remembered of segments that were read once.
    static let recentCount = 256

    package init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    package func segment(_ key: Key) -> ByteBuffer? {
        state.withLock { state in
            guard state.entries[key] != nil else { return nil }
            state.useCount += 1
            state.entries[key]?.lastUse = state.useCount
            return state.entries[key]?.segment
        }
    }

    /// A segment that has just been read: kept if it was read lately already.
    package func offer(_ segment: ByteBuffer, key: Key) {
        guard segment.readableBytes <= maximumByteCount / 4 else { return }
        state.withLock { state in
            guard state.entries[key] == nil else { return }
            guard state.recent.contains(key) else {
                Self.remember(key, in: &state)
                return
            }
            state.useCount += 1
            state.entries[key] = Entry(segment: segment, lastUse: state.useCount)
            state.byteCount += segment.readableBytes
            while state.byteCount > maximumByteCount,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.byteCount -= oldest.value.segment.readableBytes
                state.entries.removeValue(forKey: oldest.key)
            }
        }
    }

    /// Bytes held.
    package var byteCount: Int { state.withLock(\.byteCount) }

    private static func remember(_ key: Key, in state: inout State) {
        if state.recent.count < recentCount {
            state.recent.append(key)
        } else {
            state.recent[state.recentPosition] = key
            state.recentPosition = (state.recentPosition + 1) % recentCount
        }
    }
}
