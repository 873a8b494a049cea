package import NIOCore

/// Segments in memory, bounded in bytes: what has not been asked for for the longest time goes first.
package struct RecentSegments<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var segment: ByteBuffer
        var lastUse: UInt64
    }

    private var entries: [Key: Entry] = [:]
    /// Bytes held.
    package private(set) var byteCount = 0
    private var useCount: UInt64 = 0
    private let maximumByteCount: Int

    package init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    package func holds(_ key: Key) -> Bool { entries[key] != nil }

    /// Asks for it.
    package mutating func segment(_ key: Key) -> ByteBuffer? {
        guard let segment = entries[key]?.segment else { return nil }
        useCount += 1
        entries[key]?.lastUse = useCount
        return segment
    }

    /// Without effect where there is one already, or the segment is larger than all that may be held.
    package mutating func keep(_ segment: ByteBuffer, key: Key) {
        guard segment.readableBytes <= maximumByteCount, entries[key] == nil else { return }
        useCount += 1
        entries[key] = Entry(segment: segment, lastUse: useCount)
        byteCount += segment.readableBytes
        while byteCount > maximumByteCount, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            byteCount -= oldest.value.segment.readableBytes
            entries.removeValue(forKey: oldest.key)
        }
    }
}
