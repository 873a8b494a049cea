package import NIOCore

/// A cache of segments, bounded in bytes: the least recently used one is removed first.
package struct RecentSegments<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var segment: ByteBuffer
        var holding: (any AnyObject & Sendable)?
        var lastUse: UInt64
    }

    private var entries: [Key: Entry] = [:]
    /// The number of bytes held.
    package private(set) var byteCount = 0
    private var useCount: UInt64 = 0
    private let maximumByteCount: Int

    /// Creates an empty cache.
    package init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// Returns whether the cache has a segment; does not count as a use.
    package func holds(_ key: Key) -> Bool { entries[key] != nil }

    /// Returns a segment and marks it as used; `nil` if it is not cached.
    package mutating func segment(_ key: Key) -> ByteBuffer? { entry(key)?.segment }

    /// Returns a segment and the object held with it, and marks it as used; `nil` if it is not cached.
    package mutating func entry(_ key: Key) -> (segment: ByteBuffer, holding: (any AnyObject & Sendable)?)? {
        guard let entry = entries[key] else { return nil }
        useCount += 1
        entries[key]?.lastUse = useCount
        return (entry.segment, entry.holding)
    }

    /// Adds a segment. Does nothing if the key is cached already, or the segment is larger than the whole cache.
    ///
    /// - Parameters:
    ///   - segment: The bytes of the segment.
    ///   - key: The key to find it by.
    ///   - holding: An object that is released together with the segment.
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
