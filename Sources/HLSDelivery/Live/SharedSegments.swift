import NIOCore
import Packaging
import Synchronization

/// Live segments that several viewers fetch, as in-memory files.
///
/// Writing a segment to a socket copies it for each viewer. The pages of a file are sent without copying (sendfile(2)),
/// which takes a third of the processor time; creating the file costs one copy.
package final class SharedSegments: Sendable {
    struct Key: Hashable {
        var channel: String
        var segment: LiveSegmentAddress
    }

    private struct Entry {
        /// `nil` if one viewer has fetched the segment so far, or if the file is being made.
        var file: MediaFile?
        /// True if a viewer has fetched the segment since the last ``removeUnused()``.
        var isUsed = true
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The keys of all entries, oldest first.
        var order: [Key] = []
        /// The size of all files together.
        var byteCount = 0
    }

    private let state = Mutex(State())
    private let maximumByteCount: Int

    /// Enough for a few segments of each rendition of a dozen channels.
    static let defaultMaximumByteCount = 64 << 20
    /// The number of segments that are remembered, with a file or without.
    static let maximumCount = 128
    /// Copying smaller segments costs no more than the additional system calls.
    static let minimumSegmentByteCount = 128 << 10

    init(maximumByteCount: Int = SharedSegments.defaultMaximumByteCount) { self.maximumByteCount = maximumByteCount }

    /// The size of all files together.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Returns the segment as a file, from its second viewer on.
    ///
    /// - Parameters:
    ///   - byteCount: the segment's size.
    ///   - pieces: makes the segment's bytes.
    /// - Returns: `nil` for the first viewer, for segments that are not worth a file, and if the system has no memory
    ///   or no descriptor for one.
    func file(for key: Key, byteCount: Int, pieces: () -> [ByteBuffer]) -> MediaFile? {
        // Limited to a quarter, so that one segment does not displace all others.
        guard byteCount >= Self.minimumSegmentByteCount, byteCount <= maximumByteCount / 4 else { return nil }
        let (known, isDue) = state.withLock { state -> (MediaFile?, Bool) in
            guard let entry = state.entries[key] else {
                Self.add(key, to: &state)
                return (nil, false)
            }
            state.entries[key]?.isUsed = true
            return (entry.file, entry.file == nil)
        }
        guard isDue else { return known }
        // Created outside of the lock, which all connections share. Two event loops may create the same file
        // concurrently; only one of them is kept.
        guard let file = try? MediaFile(inMemory: pieces()) else { return nil }
        state.withLock { state in
            guard let entry = state.entries[key], entry.file == nil else { return }
            state.entries[key]?.file = file
            state.byteCount += Int(file.byteCount)
            while state.byteCount > maximumByteCount { Self.removeOldest(from: &state) }
        }
        return file
    }

    /// Removes the segments that nobody has fetched since the last call.
    package func removeUnused() {
        state.withLock { state in
            for key in state.order {
                guard let entry = state.entries[key] else { continue }
                if entry.isUsed {
                    state.entries[key]?.isUsed = false
                } else {
                    Self.remove(key, from: &state)
                }
            }
            state.order.removeAll { state.entries[$0] == nil }
        }
    }

    private static func add(_ key: Key, to state: inout State) {
        if state.order.count >= maximumCount { removeOldest(from: &state) }
        state.entries[key] = Entry()
        state.order.append(key)
    }

    private static func removeOldest(from state: inout State) {
        guard !state.order.isEmpty else { return }
        remove(state.order.removeFirst(), from: &state)
    }

    private static func remove(_ key: Key, from state: inout State) {
        guard let file = state.entries.removeValue(forKey: key)?.file else { return }
        state.byteCount -= Int(file.byteCount)
    }
}
