import MediaCore
import NIOCore
import Testing

@testable import Broadcaster

struct UnitBacklogTests {
    private static func entry(_ type: MediaType, _ time: Double, isKey: Bool = false, byteCount: Int = 100)
        -> UnitBacklog.Entry
    {
        let unit = AccessUnit(
            decodeTime: Int64(time * 90_000), presentationTime: Int64(time * 90_000),
            isRandomAccessPoint: isKey || type == .audio, payload: .frame(ByteBuffer(repeating: 1, count: byteCount)))
        return UnitBacklog.Entry(mediaType: type, unit: unit, time: time)
    }

    /// Fills a backlog with 25 frames per second, a key frame every two seconds, and audio in between.
    private static func fill(_ backlog: inout UnitBacklog, from start: Int = 0, to end: Int, byteCount: Int = 100) {
        for index in start..<end {
            backlog.append(entry(.video, Double(index) / 25, isKey: index % 50 == 0, byteCount: byteCount))
            backlog.append(entry(.audio, Double(index) / 25 + 0.01))
        }
    }

    private static func drained(_ backlog: inout UnitBacklog) -> [UnitBacklog.Entry] {
        var entries: [UnitBacklog.Entry] = []
        while let entry = backlog.popFirst() { entries.append(entry) }
        return entries
    }

    @Test func whatFitsComesOutInOrder() {
        var backlog = UnitBacklog(hasVideo: true)
        Self.fill(&backlog, to: 50)
        #expect(backlog.count == 100 && abs(backlog.duration - 1.97) < 0.001)
        let entries = Self.drained(&backlog)
        #expect(entries.map(\.time) == entries.map(\.time).sorted() && entries.count == 100)
        #expect(backlog.isEmpty && backlog.byteCount == 0 && backlog.droppedFrameCount == 0)
    }

    @Test func nothingComesBeforeTheFirstKeyFrame() {
        var backlog = UnitBacklog(hasVideo: true)
        Self.fill(&backlog, from: 20, to: 60)
        let entries = Self.drained(&backlog)
        #expect(entries.first?.unit.isRandomAccessPoint == true && entries.first?.time == 2)
        #expect(backlog.droppedFrameCount == 30)
    }

    @Test func wholeGroupsGoWhenTheLineIsTooSlow() {
        var backlog = UnitBacklog(hasVideo: true)
        Self.fill(&backlog, to: 500)
        #expect(backlog.duration <= UnitBacklog.maximumDuration)
        let frames = Self.drained(&backlog).filter { $0.mediaType == .video }
        #expect(frames.first?.unit.isRandomAccessPoint == true)
        // The rest has no gaps, so it can be decoded.
        let gaps = zip(frames, frames.dropFirst()).map { $1.time - $0.time }
        #expect(gaps.allSatisfy { abs($0 - 0.04) < 0.001 })
        #expect(backlog.droppedFrameCount + frames.count == 500)
        #expect(backlog.droppedGroupCount == backlog.droppedFrameCount / 50)
    }

    @Test func aGroupWithoutAnEndIsDroppedUntilTheNextKeyFrame() {
        var backlog = UnitBacklog(hasVideo: true)
        backlog.append(Self.entry(.video, 0, isKey: true))
        for index in 1..<200 { backlog.append(Self.entry(.video, Double(index) / 25)) }
        #expect(backlog.isEmpty && backlog.waitsForKeyFrame)
        backlog.append(Self.entry(.video, 8, isKey: true))
        #expect(backlog.count == 1 && backlog.droppedFrameCount == 200)
    }

    @Test func bytesAreBoundedToo() {
        var backlog = UnitBacklog(hasVideo: true)
        Self.fill(&backlog, to: 60, byteCount: 1 << 20)
        #expect(backlog.byteCount <= UnitBacklog.maximumByteCount)
    }

    @Test func withoutAConnectionTheNewestGroupIsKept() {
        var backlog = UnitBacklog(hasVideo: true)
        for index in 0..<1_000 {
            Self.fill(&backlog, from: index, to: index + 1)
            backlog.keepNewestGroup()
            #expect(backlog.duration < 2.1)
        }
        let first = Self.drained(&backlog).first
        #expect(first?.time == 38)
    }

    @Test func aNewConnectionBeginsWithAKeyFrame() {
        var backlog = UnitBacklog(hasVideo: true)
        Self.fill(&backlog, to: 70)
        for _ in 0..<20 { _ = backlog.popFirst() }
        backlog.dropUndecodable()
        let first = backlog.popFirst()
        #expect(first?.time == 2)
        var other = UnitBacklog(hasVideo: true)
        Self.fill(&other, to: 40)
        for _ in 0..<20 { _ = other.popFirst() }
        other.dropUndecodable()
        #expect(other.isEmpty && other.waitsForKeyFrame)
    }

    @Test func audioAloneIsKeptShort() {
        var backlog = UnitBacklog(hasVideo: false)
        for index in 0..<1_000 { backlog.append(Self.entry(.audio, Double(index) * 0.02)) }
        #expect(backlog.duration <= UnitBacklog.maximumDuration && backlog.duration >= 1)
        backlog.keepNewestGroup()
        #expect(backlog.duration <= 1)
    }
}
