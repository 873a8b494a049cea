package import NIOCore

/// Segments in memory, bounded in bytes: what has not been asked for for the longest time goes first.
package struct RecentSegments<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var segment: ByteBuffer
        var holding: (any AnyObject & Sendable)?
        var lastUse: UInt64
    }

    private var entries: [Key: Entry] = [:]
    /// Bytes held.
    package private(set) var byteCount = 0
    private var useCount: UInt64 = 0
    private let maximumByteCount: Int

    package init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    package func holds(_ key: Key) -> Bool { entries[key] != nil }

    /// Asks for a segment.
    package mutating func segment(_ key: Key) -> ByteBuffer? { entry(key)?.segment }

    /// Asks for a segment, and what is held with it.
    package mutating func entry(_ key: Key) -> (segment: ByteBuffer, holding: (any AnyObject & Sendable)?)? {
        guard let entry = entries[key] else { return nil }
        useCount += 1
        entries[key]?.lastUse = useCount
        return (entry.segment, entry.holding)
    }

    /// Without effect where there is one already, or the segment is larger than all that may be held.
    ///
    /// - Parameter holding: is let go of together with the segment.
    package mutating func keep(_ segment: ByteBuffer, key: Key, holding: (any AnyObject & Sendable)? = nil) {
        guard segment.readableBytes <= maximumByteCount, entries[key] == nil else { return }
        useCount += 1
        entries[key] = Entry(segment: segment, holding: holding, lastUse: useCount)
        byteCount += segment.readableBytes
        while byteCount > maximumByteCount, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            byteCount -= oldest.value.segment.readableBytes
            entries.removeValue(forKey: oldest.key)
        }
    }
}
