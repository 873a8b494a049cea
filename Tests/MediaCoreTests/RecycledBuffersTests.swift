import MediaCore
import NIOCore
import Testing

struct RecycledBuffersTests {
    private let allocator = ByteBufferAllocator()

    private func storage(_ buffer: ByteBuffer) -> UnsafeRawPointer? {
        buffer.withVeryUnsafeBytes { $0.baseAddress }
    }

    @Test func aBufferComesBackWhenTheOthersHaveLetGo() {
        var buffers = RecycledBuffers(maximumUsedCount: 4, maximumSpareCount: 4)
        var other: ByteBuffer?
        let address: UnsafeRawPointer?
        do {
            var first = buffers.take(minimumCapacity: 1_000, allocator: allocator)
            first.writeString("first")
            other = first.getSlice(at: 1, length: 3)
            address = storage(first)
            buffers.keep(first)
        }
        do {
            let second = buffers.take(minimumCapacity: 1_000, allocator: allocator)
            #expect(storage(second) != address, "somebody still reads it")
        }
        #expect(other.map { String(buffer: $0) } == "irs")
        other = nil
        let third = buffers.take(minimumCapacity: 1_000, allocator: allocator)
        #expect(storage(third) == address)
        #expect(third.readableBytes == 0 && third.capacity >= 1_000)
    }

    @Test func theSmallestThatIsLargeEnoughIsTaken() {
        var buffers = RecycledBuffers(maximumUsedCount: 4, maximumSpareCount: 4)
        for capacity in [64_000, 1_000, 8_000] { buffers.keep(allocator.buffer(capacity: capacity)) }
        #expect(buffers.take(minimumCapacity: 2_000, allocator: allocator).capacity == 8_192)
        #expect(buffers.take(minimumCapacity: 2_000, allocator: allocator).capacity == 65_536)
        #expect(buffers.take(minimumCapacity: 2_000, allocator: allocator).capacity == 2_048, "a new one")
        #expect(buffers.take(minimumCapacity: 0, allocator: allocator).capacity == 1_024)
    }

    @Test func neitherKindIsKeptWithoutEnd() {
        var buffers = RecycledBuffers(maximumUsedCount: 8, maximumSpareCount: 2)
        var inUse = (0..<20).map { _ in allocator.buffer(capacity: 1_000) }
        for buffer in inUse { buffers.keep(buffer) }
        let addresses = inUse.map { storage($0) }
        inUse = []
        let taken = (0..<20).map { _ in buffers.take(minimumCapacity: 1_000, allocator: allocator) }
        // Those that were kept first are forgotten, and of the others two are spared.
        let again = taken.prefix(2).map { storage($0) }
        #expect(again == Array(addresses[12..<14]))
    }

    @Test func emptyBuffersAreNotKept() {
        var buffers = RecycledBuffers(maximumUsedCount: 1, maximumSpareCount: 1)
        buffers.keep(allocator.buffer(capacity: 1_000))
        buffers.keep(ByteBuffer())
        #expect(buffers.take(minimumCapacity: 1, allocator: allocator).capacity == 1_024)
    }
}
