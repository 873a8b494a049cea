package import NIOCore

/// Buffers whose memory is used again when nothing else refers to it any more.
///
/// The system gives a process fresh memory page by page, as it is first written, and each page costs about as much as
/// copying its bytes several times. Code that fills buffers of similar sizes without end, and passes them on, also
/// stores them here, and gets their memory back when the receivers have released it. The receivers need not know.
package struct RecycledBuffers: Sendable {
    /// Limit on the buffers that are still in use. Beyond it the oldest are forgotten, and freed by their last user.
    private let maximumUsedCount: Int
    /// Limit on the buffers that nothing else refers to. Further ones are freed.
    private let maximumSpareCount: Int
    private var used = CircularBuffer<ByteBuffer>()
    private var spare: [ByteBuffer] = []

    package init(maximumUsedCount: Int, maximumSpareCount: Int) {
        self.maximumUsedCount = maximumUsedCount
        self.maximumSpareCount = maximumSpareCount
    }

    /// An empty buffer.
    ///
    /// - Parameters:
    ///   - minimumCapacity: the bytes for which it has room.
    ///   - allocator: makes a new one if none of those that are free is large enough.
    package mutating func take(minimumCapacity: Int, allocator: ByteBufferAllocator) -> ByteBuffer {
        collectFree()
        // The smallest that is large enough, so that large ones stay for what needs them.
        let fitting = spare.indices.filter { spare[$0].capacity >= minimumCapacity }
        guard let index = fitting.min(by: { spare[$0].capacity < spare[$1].capacity }) else {
            return allocator.buffer(capacity: minimumCapacity)
        }
        return spare.remove(at: index)
    }

    /// Waits until others let go of a buffer. The caller must not write to it any more.
    package mutating func keep(_ buffer: ByteBuffer) {
        guard buffer.capacity > 0 else { return }
        if used.count == maximumUsedCount { used.removeFirst() }
        used.append(buffer)
    }

    private mutating func collectFree() {
        for _ in 0..<used.count {
            var buffer = used.removeFirst()
            if buffer.modifyIfUniquelyOwned({ $0.clear() }) == nil {
                used.append(buffer)
            } else if spare.count < maximumSpareCount {
                spare.append(buffer)
            }
        }
    }
}
