import Codecs
import MediaCore
import NIOCore
import NIOEmbedded
import RTSPProtocol
import SessionDescription
import Testing

@testable import LiveChannels
@testable import RTPTransport
@testable import RTSPServer

struct ReaderQueueTests {
    static func entry(_ number: UInt8, track: Int = 0, isVideo: Bool = true, isKey: Bool) -> ReaderQueue.Entry {
        var batch = RTPPacketBatch(channel: 0, capacity: 100, allocator: ByteBufferAllocator())
        batch.append { $0.writeRepeatingByte(number, count: 96) }
        return ReaderQueue.Entry(trackIndex: track, batch: batch, isVideo: isVideo, isRandomAccessPoint: isKey)
    }

    static func drain(_ queue: inout ReaderQueue) -> [UInt8] {
        var numbers: [UInt8] = []
        while let entry = queue.popFirst() { numbers.append(entry.batch.frames.readableBytesView.last ?? 0) }
        return numbers
    }

    static func limits(_ byteCount: Int) -> ReaderQueueLimits {
        var limits = ReaderQueueLimits()
        limits.maximumByteCount = byteCount
        return limits
    }

    /// K is a key frame, p another video frame, s an audio frame; the queue holds four of them.
    @Test(arguments: [
        ("ppKpp", [2, 3, 4], 0), ("KppK", [0, 1, 2, 3], 0), ("KppKp", [3, 4], 3), ("Kpppp", [], 5),
        ("KppppK", [5], 5), ("KppppspKp", [5, 7, 8], 6), ("sKppK", [1, 2, 3, 4], 1), ("ssppK", [0, 1, 4], 0),
    ])
    func whatDoesNotFitGoesUpToTheNextKeyFrame(_ text: String, left: [UInt8], dropped: Int) {
        var queue = ReaderQueue(videoTracks: [0], limits: Self.limits(400))
        for (index, kind) in text.enumerated() {
            let isVideo = kind != "s"
            queue.append(
                Self.entry(UInt8(index), track: isVideo ? 0 : 1, isVideo: isVideo, isKey: kind != "p"),
                now: .distantPast)
        }
        #expect(queue.droppedUnitCount == dropped)
        #expect(Self.drain(&queue) == left)
        #expect(queue.byteCount == 0)
    }

    @Test func audioAloneLosesItsOldest() {
        var queue = ReaderQueue(videoTracks: [], limits: Self.limits(200))
        for number in 0..<5 {
            queue.append(Self.entry(UInt8(number), isVideo: false, isKey: true), now: .distantPast)
        }
        #expect(Self.drain(&queue) == [3, 4])
        #expect(queue.droppedUnitCount == 3)
    }

    @Test func whatIsTooOldGoesToo() {
        var queue = ReaderQueue(videoTracks: [0], limits: Self.limits(10_000))
        let start = NIODeadline.uptimeNanoseconds(0)
        queue.append(Self.entry(0, isKey: true), now: start)
        queue.append(Self.entry(1, isKey: false), now: start + .seconds(4))
        #expect(queue.count == 2)
        queue.append(Self.entry(2, isKey: true), now: start + .seconds(5))
        #expect(Self.drain(&queue) == [2])
    }

    @Test func aReaderThatRecoversIsNotHopeless() {
        var queue = ReaderQueue(videoTracks: [], limits: Self.limits(100))
        func lose(at seconds: Int64) {
            let now = NIODeadline.uptimeNanoseconds(0) + .seconds(seconds)
            for number in 0..<2 { queue.append(Self.entry(UInt8(number), isVideo: false, isKey: true), now: now) }
            _ = Self.drain(&queue)
        }
        let at = { (seconds: Int64) in NIODeadline.uptimeNanoseconds(0) + .seconds(seconds) }
        for seconds: Int64 in [0, 8, 16, 24] { lose(at: seconds) }
        #expect(!queue.isHopeless(now: at(29)))
        lose(at: 40)
        #expect(!queue.isHopeless(now: at(40)), "16 s without a loss")
        for seconds: Int64 in [48, 56, 64, 70] { lose(at: seconds) }
        #expect(queue.isHopeless(now: at(70)))
    }

    @Test func keptPacketsAreBounded() {
        var kept = KeptPackets(maximumByteCount: 300)
        kept.append(Self.entry(0, isKey: false), isLeading: true)
        #expect(kept.entries.isEmpty)
        kept.append(Self.entry(1, isKey: true), isLeading: true)
        kept.append(Self.entry(2, track: 1, isVideo: false, isKey: true), isLeading: false)
        #expect(kept.entries.count == 2)
        kept.append(Self.entry(3, isKey: false), isLeading: true)
        kept.append(Self.entry(4, isKey: false), isLeading: true)
        #expect(kept.entries.isEmpty, "beyond the bound nothing is kept")
        kept.append(Self.entry(5, isKey: false), isLeading: true)
        #expect(kept.entries.isEmpty)
        kept.append(Self.entry(6, isKey: true), isLeading: true)
        #expect(kept.entries.count == 1)
    }
}
