import NIOCore
import Packaging
import Testing

struct SegmentCacheTests {
    private func key(_ number: Int, title: Int = 1) -> SegmentCache.Key {
        SegmentCache.Key(title: title, rendition: "video", number: number)
    }

    private func segment(_ byteCount: Int) -> ByteBuffer { ByteBuffer(repeating: 7, count: byteCount) }

    @Test func aSegmentIsKeptWhenItIsReadASecondTime() {
        let cache = SegmentCache(maximumByteCount: 1_000)
        cache.offer(segment(100), key: key(0))
        #expect(cache.segment(key(0)) == nil)
        #expect(cache.byteCount == 0)
        cache.offer(segment(100), key: key(0))
        #expect(cache.segment(key(0))?.readableBytes == 100)
        #expect(cache.segment(key(0, title: 2)) == nil)
        cache.offer(segment(100), key: key(0))
        #expect(cache.byteCount == 100)
    }

    @Test func theLeastRecentlyUsedGoesWhenItIsFull() {
        let cache = SegmentCache(maximumByteCount: 1_000)
        for number in 0..<4 {
            for _ in 0..<2 { cache.offer(segment(250), key: key(number)) }
        }
        #expect(cache.byteCount == 1_000)
        #expect(cache.segment(key(0)) != nil)
        for _ in 0..<2 { cache.offer(segment(100), key: key(9)) }
        #expect(cache.segment(key(1)) == nil)
        #expect([0, 2, 3, 9].allSatisfy { cache.segment(key($0)) != nil })
        #expect(cache.byteCount == 850)
    }

    @Test func aSegmentOfMoreThanAQuarterIsNeverKept() {
        let cache = SegmentCache(maximumByteCount: 1_000)
        for _ in 0..<3 { cache.offer(segment(251), key: key(0)) }
        #expect(cache.segment(key(0)) == nil)
    }

    @Test func randomSeekingLeavesNoTrace() {
        let cache = SegmentCache(maximumByteCount: 1 << 20)
        for number in 0..<5_000 { cache.offer(segment(10), key: key(number)) }
        // The first offer was so long ago that it is forgotten.
        cache.offer(segment(10), key: key(0))
        #expect(cache.byteCount == 0)
    }

    @Test func theBoundHoldsWhateverComes() {
        let cache = SegmentCache(maximumByteCount: 10_000)
        for round in 0..<300 {
            for _ in 0..<2 { cache.offer(segment(round * 13 % 2_500), key: key(round)) }
            #expect(cache.byteCount <= 10_000)
        }
    }

    @Test func manyThreadsCanUseIt() async {
        let cache = SegmentCache(maximumByteCount: 100_000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<200 {
                        let key = SegmentCache.Key(title: task % 2, rendition: "video", number: round % 50)
                        if let hit = cache.segment(key) {
                            #expect(hit.readableBytes == 1_000)
                        } else {
                            cache.offer(ByteBuffer(repeating: 1, count: 1_000), key: key)
                        }
                    }
                }
            }
        }
        #expect(cache.byteCount <= 100_000)
    }
}
