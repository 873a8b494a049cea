import NIOCore
import Packaging
import Testing

@testable import HLSDelivery

/// Live segments fetched by several viewers are kept once, in limited memory.
struct SharedSegmentsTests {
    private let segments = SharedSegments(maximumByteCount: 4 << 20)

    private func key(_ number: Int, channel: String = "canalA") -> SharedSegments.Key {
        .init(channel: channel, segment: LiveSegmentAddress(rendition: "video", epoch: "e1", mediaSequence: number))
    }

    private func fetch(_ key: SharedSegments.Key, byteCount: Int = 1 << 20) -> MediaFile? {
        let half = ByteBuffer(repeating: 1, count: byteCount / 2)
        return segments.file(for: key, byteCount: byteCount) { [half, ByteBuffer(repeating: 2, count: byteCount / 2)] }
    }

    @Test func theSecondViewerGetsAFileAndAllOthersTheSameOne() throws {
        #expect(fetch(key(1)) == nil)
        let file = try #require(fetch(key(1)))
        #expect(fetch(key(1)) === file)
        // Reading the file never blocks the event loop.
        var bytes = ByteBuffer()
        #expect(try file.appendRanges([FileRange(offset: 0, byteCount: 1 << 20)], to: &bytes, cachedOnly: true))
        #expect(bytes.readableBytesView.prefix(1 << 19).allSatisfy { $0 == 1 })
        #expect(bytes.readableBytesView.suffix(1 << 19).allSatisfy { $0 == 2 })
        #expect(fetch(key(1, channel: "canalB")) == nil)
    }

    @Test func theOldestFilesMakeRoom() throws {
        for number in 0..<6 { _ = (fetch(key(number)), fetch(key(number))) }
        #expect(segments.byteCount == 4 << 20)
        // The first segment has to be fetched twice again.
        #expect(fetch(key(0)) == nil)
        #expect(fetch(key(5)) != nil)
    }

    @Test func segmentsThatAreFetchedOnceTakeNoMemory() {
        for number in 0..<(2 * SharedSegments.maximumCount) { #expect(fetch(key(number)) == nil) }
        #expect(segments.byteCount == 0)
    }

    @Test func smallAndHugeSegmentsStayAsTheyAre() {
        for byteCount in [SharedSegments.minimumSegmentByteCount - 2, (1 << 20) + 2] {
            #expect(fetch(key(1), byteCount: byteCount) == nil)
            #expect(fetch(key(1), byteCount: byteCount) == nil)
        }
    }

    @Test func whatNobodyFetchesAnyMoreIsRemoved() throws {
        _ = fetch(key(1))
        let file = try #require(fetch(key(1)))
        segments.removeUnused()
        #expect(fetch(key(1)) === file)
        segments.removeUnused()
        segments.removeUnused()
        #expect(segments.byteCount == 0)
        #expect(fetch(key(1)) == nil)
    }
}
