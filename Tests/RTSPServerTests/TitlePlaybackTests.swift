import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import NIOEmbedded
import RTSPProtocol
import SessionDescription
import TestSupport
import Testing

@testable import LiveChannels
@testable import Packaging
@testable import RTPTransport
@testable import RTSPServer

/// A title, its reader, and the clock that they share.
struct TitlePlaybackFixture {
    let eventLoop = EmbeddedEventLoop()
    let output = RecordingOutput()
    let title: PackagedTitle
    let session: TitlePlaybackSession

    enum Disk {
        case cached
        /// Every read requires waiting for the disk.
        case slow
        case broken
    }

    /// Must be called after the last `await`, because the loop belongs to the thread on which it is created.
    init(_ path: String, disk: Disk = .cached) throws {
        let file = try MediaFile(path: path)
        title = try PackagedTitle(index: try MovieIndex.read(from: file), file: file)
        let reading = TitleFileReading { (file, ranges) throws(MediaFileError) in
            disk == .cached ? try TitleFileReading.bytes(of: file, ranges, cachedOnly: false) : nil
        } read: { file, ranges, eventLoop in
            let promise = eventLoop.makePromise(of: ByteBuffer.self)
            eventLoop.scheduleTask(in: .milliseconds(5)) {
                guard disk == .slow else { throw MediaFileError(path: "title.mp4", operation: "read", errno: 5) }
                return try TitleFileReading.bytes(of: file, ranges, cachedOnly: false) ?? ByteBuffer()
            }.futureResult.cascade(to: promise)
            return promise.futureResult
        }
        session = try #require(
            TitlePlaybackSession(
                title: title, name: "Prueba", isIPv6: false, output: output, eventLoop: eventLoop, fileReading: reading,
                wallClock: WallClock { PlaybackFixture.startOfTime }))
        for index in session.description.media.indices {
            let channel = UInt8(2 * index)
            _ = session.setUp(index, .interleaved(rtp: channel, rtcp: channel + 1))
        }
    }

    @discardableResult
    func play(from start: Double? = nil, to end: Double? = nil) throws -> RTSPPlayback {
        let time = { (seconds: Double) in MediaTime(seconds: seconds, timescale: .milliseconds) }
        let answer = try session.play(from: start.map(time), to: end.map(time))
        session.startSending()
        return answer
    }

    func run(seconds: Double) { eventLoop.advanceTime(by: .milliseconds(Int64(seconds * 1_000))) }

    /// The depacketized frames of the received video packets.
    func frames() throws -> [DepacketizedUnit] {
        var depacketizer = H264Depacketizer(configuration: nil)
        var output: [DepacketizerOutput] = []
        for packet in try self.output.packets(0) { try depacketizer.receive(packet, into: &output) }
        return output.compactMap { if case .unit(let unit) = $0 { unit } else { nil } }
    }

    /// Timestamps relative to the first frame, in the order of arrival.
    static func times(_ frames: [DepacketizedUnit]) -> [Int32] {
        frames.map { Int32(bitPattern: $0.rtpTimestamp &- frames[0].rtpTimestamp) }
    }
}

struct TitlePlaybackTests {
    @Test func describesTheTitle() async throws {
        let fixture = try TitlePlaybackFixture(await MovieFixture.bFrames.path())
        let description = fixture.session.description
        #expect(description.name == "Prueba")
        #expect(description.attributes.value(of: "range")?.hasPrefix("npt=0-14.0") == true)
        #expect(description.media.map(\.mediaType) == ["video", "audio"])
        #expect(description.media.map(\.control) == ["trackID=0", "trackID=1"])
    }

    @Test(arguments: [TitlePlaybackFixture.Disk.cached, .slow])
    func theWholeTitleComesAtItsOwnPace(_ disk: TitlePlaybackFixture.Disk) async throws {
        let path = try await MovieFixture.bFrames.path()
        let expected = try await ProbedPacket.all(of: path)
        let file = try bytesOfFile(path)
        let fixture = try TitlePlaybackFixture(path, disk: disk)
        let start = try fixture.play()
        #expect(start.range.rendered.hasPrefix("npt=0.000-14.0"))
        for second in 0..<14 {
            fixture.run(seconds: 0.5)
            let frameCount = try fixture.output.packets(0).count(where: \.marker)
            // Half a second has passed, and one second is sent ahead.
            #expect(abs(frameCount - (second * 25 + 38)) <= 3 || frameCount == 350, "after \(second) s")
            fixture.run(seconds: 0.5)
        }
        #expect(fixture.output.endReason == nil)
        fixture.run(seconds: 1)
        #expect(fixture.output.endReason == .endOfTitle)
        for channel: UInt8 in [1, 3] {
            let last = try fixture.output.reports(channel).last
            guard case .bye = last else {
                Issue.record("no BYE on channel \(channel)")
                continue
            }
        }
        let video = expected.filter { $0.stream == 0 }
        let frames = try fixture.frames()
        #expect(frames.map(\.isRandomAccessPoint) == video.map(\.isKey))
        for (frame, packet) in zip(frames, video) {
            var stored = ByteBuffer()
            frame.payload.write(into: &stored)
            let (offset, count) = (Int(packet.offset), Int(packet.byteCount))
            #expect(stored.readableBytesView.elementsEqual(file[offset..<offset + count]))
        }
        let times = TitlePlaybackFixture.times(frames)
        #expect(times == video.map { Int32(($0.presentationTime - video[0].presentationTime) * 90_000 / 12_800) })
        let audioPackets = try fixture.output.packets(2)
        // The encoder's priming precedes the beginning and is not sent.
        #expect(audioPackets.count == expected.count { $0.stream == 1 } - 1)
        let steps = zip(audioPackets.dropFirst(), audioPackets).map { $0.rtpTimestamp &- $1.rtpTimestamp }
        #expect(Set(steps) == [1_024])
        #expect(start.streams[0].sequenceNumber == (try fixture.output.packets(0).first?.sequenceNumber))
    }

    @Test(arguments: [(5.0, "npt=4.000-"), (4.0, "npt=4.000-"), (3.99, "npt=2.000-"), (0.0, "npt=0.000-")])
    func seekingFindsTheKeyFrameBefore(_ time: Double, range: String) async throws {
        let fixture = try TitlePlaybackFixture(await MovieFixture.bFrames.path())
        try fixture.play()
        fixture.run(seconds: 1)
        let sent = try fixture.output.packets(0)
        let furthest = try #require(sent.map { Int32(bitPattern: $0.rtpTimestamp &- sent[0].rtpTimestamp) }.max())
        fixture.output.clear()
        let start = try fixture.play(from: time)
        #expect(start.range.rendered.hasPrefix(range))
        fixture.run(seconds: 0.5)
        let packets = try fixture.output.packets(0)
        let frames = try fixture.frames()
        #expect(frames.first?.isRandomAccessPoint == true)
        let first = try #require(packets.first)
        #expect(first.sequenceNumber == sent.last.map { $0.sequenceNumber &+ 1 })
        #expect(start.streams[0].sequenceNumber == first.sequenceNumber)
        #expect(start.streams[0].rtpTimestamp == first.rtpTimestamp)
        // RFC 2326 appendix B: the clock of the packets continues across the seek.
        let step = Int32(bitPattern: first.rtpTimestamp &- sent[0].rtpTimestamp) - furthest
        #expect((0...9_000).contains(step), "\(step) ticks")
        // Audio and video start together.
        let audio = try #require(try fixture.output.packets(2).first)
        let audioOffset = Int32(bitPattern: audio.rtpTimestamp &- (start.streams[1].rtpTimestamp ?? 0))
        #expect((-1_024...0).contains(audioOffset), "\(audioOffset) samples")
    }

    @Test func pauseLosesNothing() async throws {
        let path = try await MovieFixture.bFrames.path()
        let video = try await ProbedPacket.all(of: path).filter { $0.stream == 0 }
        let fixture = try TitlePlaybackFixture(path)
        try fixture.play()
        fixture.run(seconds: 2.3)
        fixture.session.pause()
        let count = fixture.output.interleaved.count
        fixture.run(seconds: 60)
        #expect(fixture.output.interleaved.count == count)
        let resumed = try fixture.play()
        // A little more than two seconds have been played, and one more was sent ahead.
        #expect(resumed.range.rendered.hasPrefix("npt=3."))
        fixture.run(seconds: 15)
        #expect(fixture.output.endReason == .endOfTitle)
        let times = TitlePlaybackFixture.times(try fixture.frames())
        #expect(times == video.map { Int32(($0.presentationTime - video[0].presentationTime) * 90_000 / 12_800) })
        let numbers = try fixture.output.packets(0).map(\.sequenceNumber)
        #expect(numbers == numbers.indices.map { numbers[0] &+ UInt16($0) })
    }

    @Test func aRangeEndsWhereItSays() async throws {
        let fixture = try TitlePlaybackFixture(await MovieFixture.bFrames.path())
        let start = try fixture.play(from: 2, to: 4)
        #expect(start.range.rendered == "npt=2.000-4.000")
        fixture.run(seconds: 1.9)
        #expect(fixture.output.endReason == nil)
        fixture.run(seconds: 0.2)
        #expect(fixture.output.endReason == .endOfTitle)
        #expect((50...53).contains(try fixture.frames().count))
    }

    @Test(arguments: [(-1.0, nil), (14.5, nil), (1e9, nil), (3.0, 3.0), (3.0, 2.0)] as [(Double, Double?)])
    func rangesOutsideTheTitleAreRefused(_ start: Double, end: Double?) async throws {
        let fixture = try TitlePlaybackFixture(await MovieFixture.bFrames.path())
        #expect(throws: PlaybackError.invalidRange) { try fixture.play(from: start, to: end) }
        #expect(!fixture.session.isPlaying)
        try fixture.play(from: 1)
        #expect(fixture.session.isPlaying)
    }

    @Test func aReaderThatTakesLessIsWaitedFor() async throws {
        let fixture = try TitlePlaybackFixture(await MovieFixture.bFrames.path())
        fixture.output.capacity = 20_000
        fixture.output.onFlush = { [unowned session = fixture.session] in session.outputBecameWritable() }
        try fixture.play()
        fixture.run(seconds: 60)
        let count = fixture.output.interleaved.count
        #expect(!fixture.output.isWritable)
        #expect(fixture.output.endReason == nil)
        fixture.output.capacity = nil
        fixture.output.isWritable = true
        fixture.session.outputBecameWritable()
        #expect(fixture.output.interleaved.count > count)
        #expect(fixture.output.endReason == .endOfTitle)
        #expect(try fixture.frames().count == 350)
    }

    @Test func aFileThatCannotBeReadEndsTheSession() async throws {
        let fixture = try TitlePlaybackFixture(await MovieFixture.bFrames.path(), disk: .broken)
        try fixture.play()
        #expect(fixture.output.endReason == nil)
        fixture.run(seconds: 1)
        guard case .fileUnreadable? = fixture.output.endReason else {
            Issue.record("ended with \(String(describing: fixture.output.endReason))")
            return
        }
        #expect(throws: PlaybackError.gone) { try fixture.play() }
    }

    /// A seek while a read waits for the disk: the result of that read is not sent.
    @Test func aReadFromBeforeASeekIsForgotten() async throws {
        let fixture = try TitlePlaybackFixture(await MovieFixture.bFrames.path(), disk: .slow)
        try fixture.play()
        fixture.run(seconds: 0.002)
        try fixture.play(from: 6)
        fixture.run(seconds: 0.5)
        let frames = try fixture.frames()
        #expect(frames.first?.isRandomAccessPoint == true)
        #expect(frames.count { $0.isRandomAccessPoint } == 1)
        fixture.session.end()
        let count = fixture.output.interleaved.count
        fixture.run(seconds: 10)
        #expect(fixture.output.interleaved.count == count)
    }

    @Test(arguments: [MovieFixture.hevc, .audioOnly, .videoOnly, .lateAudio, .lateVideo, .fragmented, .quickTime])
    func otherTitlesPlayToTheirEnd(_ movie: MovieFixture) async throws {
        let path = try await movie.path()
        let expected = try await ProbedPacket.all(of: path)
        let fixture = try TitlePlaybackFixture(path)
        try fixture.play()
        fixture.run(seconds: 30)
        #expect(fixture.output.endReason == .endOfTitle)
        for (index, media) in fixture.session.description.media.enumerated() {
            let stream = fixture.title.renditions[index].track.mediaType == .video ? 0 : expected.map(\.stream).max()
            let count = try fixture.output.packets(UInt8(2 * index)).count(where: \.marker)
            #expect(abs(count - expected.count { $0.stream == stream }) <= 2, "\(media.mediaType)")
        }
    }
}
