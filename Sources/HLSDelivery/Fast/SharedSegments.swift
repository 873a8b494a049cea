import FastPathSwitch
import NIOCore
import Packaging
import Synchronization

/// Live segments that several viewers fetch, as in-memory files.
///
/// Writing a segment to a socket copies it for each viewer. The pages of a file are sent without copying (sendfile(2)),
/// which takes a third of the processor time; creating the file costs one copy. Finding the pages takes a fifth of
/// the remaining time, unless they are huge: several segments share a block of these, made before it is needed.
package final class SharedSegments: Sendable {
    struct Key: Hashable {
        var channel: String
        var segment: LiveSegmentAddress
    }

    private struct Entry {
        /// `nil` if one viewer has fetched the segment so far, or if it is being written.
        var segment: SharedSegment?
        /// True if a viewer has fetched the segment since the last ``removeUnused()``.
        var isUsed = true
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The keys of all entries, oldest first.
        var order: [Key] = []
        var blocks = SegmentBlocks()
        /// False while a block is being made, and after one could not be made.
        var mayMakeBlock = true
    }

    /// Runs what may wait for memory, on a thread that may wait.
    typealias Runner = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    private let state = Mutex(State())
    private let maximumByteCount: Int
    private let runner: Runner

    /// Enough for a few segments of each rendition of a dozen channels.
    static let defaultMaximumByteCount = 64 << 20
    /// The number of segments that are remembered, with a file or without.
    static let maximumCount = 128
    /// Copying smaller segments costs no more than the additional system calls.
    static let minimumSegmentByteCount = 128 << 10

    /// - Parameters:
    ///   - maximumByteCount: the limit of all files together.
    ///   - runner: runs what may wait for memory.
    init(maximumByteCount: Int = SharedSegments.defaultMaximumByteCount, runner: @escaping Runner) {
        self.maximumByteCount = maximumByteCount
        self.runner = runner
    }

    /// The size of all files together.
    var byteCount: Int { state.withLock(\.blocks.byteCount) }

    /// Limits a segment, so that one does not displace all others.
    private var maximumSegmentByteCount: Int { maximumByteCount / 4 }
    /// Limits a block: a client that is slow to receive one of its segments holds all of it.
    private var maximumBlockByteCount: Int { maximumByteCount / 8 }

    /// Returns the segment as a file, from its second viewer on.
    ///
    /// - Parameters:
    ///   - byteCount: the segment's size.
    ///   - head: makes the encoded head of the response to a plain request.
    ///   - pieces: makes the segment's bytes.
    /// - Returns: `nil` for the first viewer, for segments that are not worth a file, and if the system has no memory
    ///   or no descriptor for one.
    func segment(
        for key: Key, byteCount: Int, head: () -> ByteBuffer, pieces: () -> [ByteBuffer]
    ) -> SharedSegment? {
        guard FastPaths.takes(.sharedSegments), byteCount >= Self.minimumSegmentByteCount,
            byteCount <= maximumSegmentByteCount
        else { return nil }
        let (known, isDue) = state.withLock { state -> (SharedSegment?, Bool) in
            guard let entry = state.entries[key] else {
                Self.add(key, to: &state)
                return (nil, false)
            }
            state.entries[key]?.isUsed = true
            return (entry.segment, entry.segment == nil)
        }
        guard isDue else { return known }
        // Written outside of the lock, which all connections share. Two event loops may write the same segment
        // concurrently; only one of them is kept.
        let head = head()
        let response = [head] + pieces()
        let size = response.reduce(0) { $0 + $1.readableBytes }
        // Others may lie right after it.
        guard size == head.readableBytes + byteCount, let place = reserve(size) else { return nil }
        let segment = SharedSegment(at: place, headByteCount: head.readableBytes, byteCount: byteCount)
        let isWritten = (try? place.file.write(response, at: place.offset)) != nil
        state.withLock { state in
            guard isWritten, let entry = state.entries[key], entry.segment == nil else {
                return state.blocks.release(place)
            }
            state.entries[key]?.segment = segment
            limit(&state)
        }
        return isWritten ? segment : nil
    }

    /// Returns space in a block or, if none has any, in a new file; `nil` if the system has no memory for one.
    private func reserve(_ byteCount: Int) -> SegmentBlocks.Place? {
        let (place, spareByteCount) = state.withLock { state -> (SegmentBlocks.Place?, Int?) in
            let place = state.blocks.reserve(byteCount)
            guard state.mayMakeBlock,
                let spare = state.blocks.spareByteCount(for: byteCount, maximumByteCount: maximumBlockByteCount)
            else { return (place, nil) }
            state.mayMakeBlock = false
            return (place, spare)
        }
        if let spareByteCount { runner { self.makeBlock(spareByteCount) } }
        if let place { return place }
        guard let file = try? MediaFile(inMemory: byteCount) else { return nil }
        return state.withLock { $0.blocks.add(single: file) }
    }

    /// Makes a block for the next segments. A system without huge pages is asked again after ``removeUnused()``.
    private func makeBlock(_ byteCount: Int) {
        guard let file = try? MediaFile(inMemory: byteCount, usesHugePages: FastPaths.takes(.hugePages)) else { return }
        state.withLock { state in
            state.mayMakeBlock = true
            // Everything may have been removed meanwhile.
            guard !state.entries.isEmpty else { return }
            state.blocks.add(spare: file)
            limit(&state)
        }
    }

    /// Removes the segments that nobody has fetched since the last call, and with the last one all memory.
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
            if state.order.isEmpty { state.blocks.removeSpare() }
            state.mayMakeBlock = true
        }
    }

    private func limit(_ state: inout State) {
        while state.blocks.byteCount > maximumByteCount, !state.order.isEmpty { Self.removeOldest(from: &state) }
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
        guard let segment = state.entries.removeValue(forKey: key)?.segment else { return }
        state.blocks.release(segment.place)
    }
}
