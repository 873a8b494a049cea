import Dispatch
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import LiveChannels
@testable import Packaging

/// The memory that the archive uses while the disk stands still.
struct ArchiveBoundTests {
    private let clock = TestClock()
    private let directory: TemporaryDirectory
    private let writer: ArchiveWriter
    private let archive: ChannelArchive

    init() throws {
        directory = try TemporaryDirectory(label: "archive")
        writer = try ArchiveWriter(
            directory: "\(directory.path)/archive", recordingsDirectory: "\(directory.path)/recordings",
            clock: clock.wallClock, logger: TestMedia.silent)
        archive = ChannelArchive(
            configuration: TestMedia.channelConfiguration(archive: ArchivePolicy(windowSeconds: 7_200)),
            writer: writer)
    }

    /// All of the same megabytes.
    private static let media = ByteBuffer(repeating: 0x65, count: 1 << 20)

    private func segment(_ mediaSequence: Int, epoch: String = "e") -> LiveSegment {
        let duration = MediaTime(value: 180_000, timescale: .video90kHz)
        let part = PartialSegment(
            decodeTime: .zero(.video90kHz), duration: duration, isIndependent: true, sampleCount: 50,
            header: ByteBuffer(), media: Self.media)
        return LiveSegment(
            header: LiveSegmentHeader(
                mediaSequence: mediaSequence, programDateTime: TestClock.start + .seconds(2 * mediaSequence),
                isDiscontinuous: false, initializationNumber: 0, epoch: epoch), parts: [part], duration: duration)
    }

    private func push(_ numbers: Range<Int>, epoch: String = "e") -> [AcceptedSegment] {
        numbers.compactMap { number in
            let accepted = archive.accept(segment(number, epoch: epoch), of: .video, discontinuityCount: 0)
            if let accepted { archive.write(accepted) }
            return accepted
        }
    }

    private func begin(_ epoch: String) {
        archive.begin(epoch: epoch, renditions: [.video], isSlate: false)
        archive.register(initializationSection: ByteBuffer(string: epoch), of: .video, epoch: epoch, number: 0)
    }

    @Test func aDiskThatStandsStillKeepsHeadersOfLostSegmentsAndNotTheirMedia() throws {
        begin("e")
        writer.queue.suspend()
        let accepted = push(0..<500)
        let held = accepted.reduce(0) { $0 + $1.segment.byteCount }
        #expect(held <= ArchiveWriter.maximumPendingByteCount)
        #expect(accepted.count(where: \.isLost) == 500 - (ArchiveWriter.maximumPendingByteCount >> 20))
        for lost in accepted where lost.isLost {
            guard case .missing = lost.placement.media else {
                Issue.record("\(lost.segment.mediaSequence) would be looked for on the disk")
                continue
            }
        }
        writer.queue.resume()
        writer.flush()
        #expect(writer.reserve(byteCount: ArchiveWriter.maximumPendingByteCount), "all room is free again")
    }

    @Test func messagesThatWaitForTheDiskAreBounded() throws {
        begin("e")
        writer.queue.suspend()
        let accepted = push(0..<5_000)
        for number in 0..<1_000 {
            begin("p\(number)")
            archive.end(epoch: "p\(number)")
            writer.maintain()
        }
        #expect(archive.pendingMessageCount <= RecorderInbox.maximumMessageCount)
        begin("last")
        writer.queue.resume()
        writer.flush()
        #expect(archive.pendingMessageCount == 0)
        for accepted in accepted {
            if case .memory = accepted.placement.media { Issue.record("\(accepted.segment.mediaSequence) is held") }
        }
        #expect(writer.reserve(byteCount: ArchiveWriter.maximumPendingByteCount), "all room is free again")
        writer.release(byteCount: ArchiveWriter.maximumPendingByteCount)
    }

    /// The dropped messages include the beginning of the push that is shown when the disk moves again.
    @Test func theArchiveGoesOnAfterItsMessagesWereDropped() throws {
        begin("e")
        writer.queue.suspend()
        _ = push(0..<5_000)
        archive.end(epoch: "e")
        begin("next")
        writer.queue.resume()
        writer.flush()
        _ = push(5_000..<5_002, epoch: "next")
        writer.flush()
        #expect(archive.recorder.epoch == "next")
        archive.end(epoch: "next")
        writer.flush()
        #expect(archive.recorder.epoch == nil)
    }
}
