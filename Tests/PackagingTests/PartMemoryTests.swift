import MediaCore
import NIOCore
import Testing

@testable import Packaging

#if canImport(Glibc)
import Glibc
#endif

/// Parts are kept for minutes, so unused memory from NIO's rounding must not stay resident.
struct PartMemoryTests {
    private static let pageByteCount = sysconf(Int32(_SC_PAGESIZE))

    /// Returns the number of whole pages of the buffer's storage after its written bytes, and how many of them are
    /// resident.
    private static func unusedPages(of buffer: ByteBuffer) -> (count: Int, residentCount: Int) {
        buffer.withVeryUnsafeBytes { storage in
            let base = Int(bitPattern: storage.baseAddress)
            let first = (base + buffer.writerIndex + pageByteCount - 1) / pageByteCount * pageByteCount
            let end = (base + storage.count) / pageByteCount * pageByteCount
            guard first < end, let start = UnsafeMutableRawPointer(bitPattern: first) else { return (0, 0) }
            var flags = [UInt8](repeating: 0, count: (end - first) / pageByteCount)
            let result = mincore(start, end - first, &flags)
            #expect(result == 0)
            return (flags.count, flags.count { $0 & 1 == 1 })
        }
    }

    /// Each argument is the number of bytes written to a buffer of 64 KB.
    @Test(arguments: [0, 1, 10_000, 32_768, 61_440, 65_535, 65_536])
    func onlyWholeUnusedPagesAreDiscarded(_ byteCount: Int) {
        var buffer = ByteBufferAllocator().buffer(capacity: 65_536)
        buffer.writeRepeatingByte(7, count: byteCount)
        buffer.withUnsafeMutableWritableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0xAA) }
        let before = Self.unusedPages(of: buffer)
        #expect(before.residentCount == before.count)
        let capacity = buffer.capacity
        buffer.discardUnusedPages()
        let after = Self.unusedPages(of: buffer)
        #expect(after.count == before.count && after.residentCount == 0)
        #expect(buffer.capacity == capacity && buffer.readableBytes == byteCount)
        #expect(buffer.readableBytesView.allSatisfy { $0 == 7 })
        // Everything up to the first whole page is unchanged, and discarded pages can be written again.
        buffer.withUnsafeMutableWritableBytes { unused in
            let partial = unused.count - after.count * Self.pageByteCount
            #expect(unused.prefix(min(1, partial)).allSatisfy { $0 == 0xAA })
        }
        buffer.writeRepeatingByte(8, count: 65_536 - byteCount)
        #expect(buffer.capacity == capacity)
        #expect(buffer.readableBytesView.dropFirst(byteCount).allSatisfy { $0 == 8 })
    }

    @Test func aBufferWithoutStorageIsLeftAlone() {
        var buffer = ByteBuffer()
        buffer.discardUnusedPages()
        #expect(buffer.capacity == 0)
    }

    /// New parts get the memory of those that nobody has any more.
    @Test func partsThatSomebodyHasAreNotOverwritten() throws {
        var builder = PartBuilder(timescale: .video90kHz, allocator: ByteBufferAllocator())
        var listed: [PartialSegment] = []
        for number in 0..<100 {
            let time = Int64(number) * 3_000
            let unit = AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                payload: .frame(ByteBuffer(repeating: UInt8(number), count: 50_000)))
            builder.append(unit, decodeTime: time, compositionOffset: 0, duration: 3_000)
            let finished = builder.finish(sequenceNumber: UInt32(number))
            let part = try #require(finished)
            listed.append(part)
            if listed.count > 20 { listed.removeFirst(5) }
            for part in listed {
                let number = UInt8(part.decodeTime.value / 3_000)
                #expect(part.media == ByteBuffer(repeating: number, count: 50_000))
            }
        }
    }

    /// The case arises when malloc returns blocks whose pages were all used before.
    @Test func finishedPartsKeepNoUnusedPagesAndAllTheirBytes() throws {
        let allocator = ByteBufferAllocator()
        var used = (0..<16).map { _ in
            var buffer = allocator.buffer(capacity: 256 << 10)
            buffer.writeRepeatingByte(0xAA, count: 256 << 10)
            return buffer
        }
        used = used.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        var builder = PartBuilder(timescale: .video90kHz, allocator: allocator)
        var parts: [PartialSegment] = []
        for number in 0..<8 {
            for sample in 0..<5 {
                let byte = UInt8(number * 16 + sample)
                let frame = ByteBuffer(repeating: byte, count: 28_000)
                let time = Int64(number * 5 + sample) * 3_000
                let unit = AccessUnit(
                    decodeTime: time, presentationTime: time, isRandomAccessPoint: sample == 0, payload: .frame(frame))
                builder.append(unit, decodeTime: time, compositionOffset: 0, duration: 3_000)
            }
            let part = builder.finish(sequenceNumber: UInt32(number))
            parts.append(try #require(part))
        }
        #expect(used.count == 8)
        for (number, part) in parts.enumerated() {
            // 140 KB in a block of 256 KB.
            let pages = Self.unusedPages(of: part.media)
            #expect(pages.count > 20 && pages.residentCount == 0)
            let expected = (0..<5).flatMap { sample in repeatElement(UInt8(number * 16 + sample), count: 28_000) }
            #expect(part.media.readableBytesView.elementsEqual(expected))
        }
    }
}
