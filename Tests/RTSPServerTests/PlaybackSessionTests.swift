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

struct PlaybackSessionTests {
    @Test func describesWhatIsPushed() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let session = try #require(fixture.reader(RecordingOutput()))
        let expected = """
            v=0
            o=- 1 1 IN IP4 127.0.0.1
            s=Canal A
            c=IN IP4 0.0.0.0
            t=0 0
            a=tool:Antena
            a=control:*
            a=range:npt=now-
            m=video 0 RTP/AVP 96
            a=rtpmap:96 H264/90000
            a=fmtp:96 packetization-mode=1;profile-level-id=42C01E;sprop-parameter-sets=Z0LAHtkBQHsg,aMuMsg==
            a=control:trackID=0
            m=audio 0 RTP/AVP 97
            a=rtpmap:97 MPEG4-GENERIC/48000/2
            a=fmtp:97 config=1190;indexdeltalength=3;indexlength=3;mode=AAC-hbr;profile-level-id=1;sizelength=13;\
            streamtype=5
            a=control:trackID=1

            """
        #expect(session.description.rendered == expected.replacing("\n", with: "\r\n"))
        let parsed = try SDPSession(parsing: Array(session.description.rendered.utf8))
        #expect(parsed.media.map(\.rtpMap?.encodingName) == ["H264", "MPEG4-GENERIC"])
    }

    /// The name of a title comes from a file's metadata, and that of a channel from a hand-edited file.
    @Test func aNameCannotAddLines() {
        let description = PlaybackDescription(
            name: "a\r\nm=video" + String(repeating: "ñ", count: 300), identifier: 1, range: "npt=now-", isIPv6: true,
            tracks: [])
        #expect(description.session.name.hasPrefix("am=video"))
        #expect(description.session.name.utf8.count <= PlaybackDescription.maximumNameByteCount)
        #expect(description.session.media.isEmpty)
    }

    @Test(arguments: [
        (ForeignCodec.pcmMuLaw(sampleRate: 8_000, channelCount: 1), "0 PCMU/8000/1"),
        (.pcmALaw(sampleRate: 16_000, channelCount: 2), "97 PCMA/16000/2"),
        (.g722, "9 G722/8000/1"), (.linearPCM(sampleRate: 44_100, channelCount: 2), "10 L16/44100/2"),
        (.adaptiveMultiRate, "97 AMR/8000/1"), (.mpegAudio(sampleRate: 44_100, channelCount: 2), "14 MPA/90000"),
        (.vp8, "97 VP8/90000"), (.vp9, "97 VP9/90000"), (.h263, "97 H263-1998/90000"),
    ])
    func describesForeignCodecs(_ codec: ForeignCodec, map: String) throws {
        let format = RTPPayloadFormat.foreign(codec)
        let description = PlaybackDescription(
            name: "", identifier: 1, range: "npt=now-", isIPv6: false,
            tracks: [
                PlaybackDescription.DescribedTrack(
                    trackIndex: 0, format: format, payloadType: format.payloadType(trackIndex: 1), clock: format.clock)
            ])
        let media = try #require(description.session.media.first)
        #expect(media.attributes.value(of: "rtpmap") == map)
        #expect(media.mediaType == (codec.isVideo ? "video" : "audio"))
    }

    @Test func thereIsNothingToReadBeforeTheParametersAreKnown() throws {
        let fixture = PlaybackFixture()
        #expect(fixture.reader(RecordingOutput()) == nil)
        fixture.begin(video: nil, audio: try PlaybackFixture.aac())
        #expect(fixture.reader(RecordingOutput()) == nil)
        fixture.fanOut.updateConfiguration(try PlaybackFixture.h264(), trackIndex: 0)
        #expect(fixture.reader(RecordingOutput())?.description.media.count == 2)
        fixture.fanOut.end()
        #expect(fixture.reader(RecordingOutput()) == nil)
    }

    @Test func theFirstReaderWaitsForAKeyFrameAndTheNextOnesDoNot() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let first = try #require(fixture.reader(output))
        let start = try first.play()
        #expect(start.range == RTSPRange(start: .now))
        #expect(start.streams.map(\.rtpTimestamp) == [nil, nil])
        #expect(start.streams[0].sequenceNumber == nil)
        first.startSending()
        fixture.frame(1, isKey: false)
        fixture.audio(1)
        fixture.frame(2, isKey: true)
        fixture.frame(3, isKey: false)
        fixture.audio(2)
        #expect(try output.frames(0) == [2, 3])
        #expect(try output.packets(2).count == 2)
        #expect(try output.packets(2).first?.sequenceNumber == start.streams[1].sequenceNumber)

        let otherOutput = RecordingOutput()
        let second = try #require(fixture.reader(otherOutput))
        let otherStart = try second.play()
        #expect(otherOutput.interleaved.isEmpty, "the answer to PLAY goes first")
        second.startSending()
        #expect(try otherOutput.frames(0) == [2, 3])
        #expect(try otherOutput.packets(2).count == 1)
        for (channel, track) in zip([UInt8(0), 2], otherStart.streams) {
            let packet = try #require(try otherOutput.packets(channel).first)
            #expect(track.sequenceNumber == packet.sequenceNumber)
            if channel == 0 { #expect(track.rtpTimestamp == packet.rtpTimestamp) }
        }
        // Both timestamps denote the time of the key frame, 80 ms.
        let audioTimestamp = try #require(try otherOutput.packets(2).first?.rtpTimestamp)
        #expect(otherStart.streams[1].rtpTimestamp == audioTimestamp)
        fixture.frame(4, isKey: false)
        #expect(try otherOutput.packets(0).suffix(1) == output.packets(0).suffix(1))
        #expect(otherStart.streams.map(\.trackIndex) == [0, 1])
    }

    @Test func whoComesToAChannelThatNobodyReadsStartsAtOnceToo() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        for number in 0..<50 {
            fixture.frame(number, isKey: number % 40 == 0)
            fixture.audio(number)
            fixture.eventLoop.advanceTime(by: .milliseconds(40))
        }
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output))
        let start = try reader.play()
        reader.startSending()
        fixture.frame(50, isKey: false)
        #expect(try output.frames(0) == (40...50).map { UInt8($0) })
        let first = try #require(try output.packets(0).first)
        #expect(start.streams[0].rtpTimestamp == first.rtpTimestamp)
        #expect(start.streams[1].sequenceNumber == (try output.packets(2).first?.sequenceNumber))
        // The times in the report are those of the newest frame, not of the oldest one that is kept.
        let report = try #require(try Self.senderReports(output, 1).first)
        let last = try #require(try output.packets(0).last)
        #expect(abs(Int32(bitPattern: last.rtpTimestamp &- report.rtpTimestamp)) <= 3_600)
        #expect(try Self.senderReports(output, 1).count == 1)
    }

    @Test func unitsOfOneTurnGoOutByOneFlush() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output))
        _ = try reader.play()
        reader.startSending()
        fixture.audio(0)
        output.clear()
        let before = output.flushCount
        for number in 0..<5 {
            let payload = SamplePayload.frame(ByteBuffer(bytes: [1]))
            fixture.fanOut.publish(
                AccessUnit(
                    decodeTime: Int64(number), presentationTime: Int64(number), isRandomAccessPoint: true,
                    payload: payload), trackIndex: 1)
        }
        fixture.eventLoop.run()
        #expect(output.writeCount == 5)
        #expect(output.flushCount == before + 1)
    }

    @Test func pausedReadersGoOnWithWhatIsLiveThen() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output))
        _ = try reader.play()
        reader.startSending()
        fixture.frame(1, isKey: true)
        reader.pause()
        #expect(fixture.group.readerCount == 0)
        fixture.frame(2, isKey: false)
        fixture.frame(3, isKey: true)
        _ = try reader.play()
        reader.startSending()
        fixture.frame(4, isKey: false)
        fixture.frame(5, isKey: true)
        #expect(try output.frames(0) == [1, 3, 4, 5])
        // All readers share one stream, whenever they join.
        #expect(Set(try output.packets(0).map(\.synchronizationSource)).count == 1)
        reader.end()
        #expect(throws: PlaybackError.gone) { try reader.play() }
        #expect(output.endReason == nil)
    }

    @Test func theEndOfThePushIsSaid() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output))
        let late = try #require(fixture.reader(RecordingOutput()))
        _ = try reader.play()
        reader.startSending()
        fixture.frame(1, isKey: true)
        let source = try #require(try output.packets(0).first).synchronizationSource
        fixture.fanOut.end()
        fixture.eventLoop.run()
        #expect(try output.reports(1).last == .bye(sources: [source]))
        #expect(try output.reports(3).last != nil)
        #expect(output.endReason == .publisherLeft)
        #expect(fixture.group.readerCount == 0)
        // The push that was described has ended before PLAY.
        try fixture.beginBoth()
        #expect(throws: PlaybackError.gone) { try late.play() }
        #expect(fixture.group.readerCount == 0)
    }

    @Test func parameterSetsChangeInBandAndCodecsEndTheSession() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output))
        _ = try reader.play()
        reader.startSending()
        fixture.frame(1, isKey: true)
        fixture.fanOut.updateConfiguration(try PlaybackFixture.h264(pps: [0x68, 0xCB, 0x8C, 0xB3]), trackIndex: 0)
        fixture.frame(2, isKey: true)
        let aggregates = try output.packets(0).filter { $0.payload.readableBytesView.first == 0x78 }
        #expect(aggregates.compactMap { $0.payload.readableBytesView.last } == [0xB2, 0xB3])
        #expect(output.endReason == nil)
        fixture.fanOut.updateConfiguration(try PlaybackFixture.aac(channelCount: 1), trackIndex: 1)
        fixture.eventLoop.run()
        #expect(output.endReason == .codecChanged)
        #expect(try output.reports(3).last != nil)
    }

    @Test func aSlowReaderLosesFramesAloneAndIsDroppedInTheEnd() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let (output, slowOutput) = (RecordingOutput(), RecordingOutput())
        var limits = ReaderQueueLimits()
        limits.maximumByteCount = 5_000
        let reader = try #require(fixture.reader(output))
        let slow = try #require(fixture.reader(slowOutput, limits: limits))
        for session in [reader, slow] {
            _ = try session.play()
            session.startSending()
        }
        slowOutput.isWritable = false
        for number in 0..<100 { fixture.frame(number, isKey: number % 10 == 0, byteCount: 1_000) }
        #expect(try output.frames(0) == (0..<100).map { UInt8($0) })
        #expect(try slowOutput.frames(0).isEmpty)
        #expect(slow.droppedUnitCount >= 90)
        #expect(slowOutput.droppedUnitCount == slow.droppedUnitCount && output.droppedUnitCount == 0)
        // The connection accepts bytes again: playback continues with a key frame.
        slowOutput.isWritable = true
        slow.outputBecameWritable()
        for number in 100..<112 { fixture.frame(number, isKey: number % 10 == 0, byteCount: 1_000) }
        let frames = try slowOutput.frames(0).map(Int.init)
        #expect(frames.first.map { $0 % 10 } == 0)
        #expect(frames.suffix(12) == Array(100..<112)[...])
        // The connection does not recover.
        slowOutput.isWritable = false
        for second in 0..<40 {
            for number in 0..<10 { fixture.frame(112 + second * 25 + number, isKey: number == 0, byteCount: 1_000) }
            fixture.eventLoop.advanceTime(by: .seconds(1))
        }
        #expect(slowOutput.endReason == .tooSlow)
        #expect(output.endReason == nil)
        #expect(fixture.group.readerCount == 1)
    }

    @Test func reportsTellWhatBelongsTogether() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output))
        _ = try reader.play()
        reader.startSending()
        fixture.frame(0, isKey: true)
        #expect(output.interleaved.map(\.channel).prefix(3) == [1, 3, 0], "reports precede the first packets")
        fixture.audio(0)
        fixture.eventLoop.advanceTime(by: .seconds(5))
        fixture.frame(125, isKey: true)
        fixture.audio(125)
        let video = try #require(try Self.senderReports(output, 1).last)
        let audio = try #require(try Self.senderReports(output, 3).last)
        #expect(video.ntpTimestamp == audio.ntpTimestamp)
        #expect(
            video.ntpTimestamp.nanosecondsSince1970 / 1_000_000
                == (PlaybackFixture.startOfTime + .seconds(5)).millisecondsSince1970)
        #expect(try output.packets(0).last?.rtpTimestamp == video.rtpTimestamp)
        #expect(try output.packets(2).last?.rtpTimestamp == audio.rtpTimestamp)
        #expect([video.packetCount, audio.packetCount] == [2, 1])
        fixture.eventLoop.advanceTime(by: .seconds(10))
        #expect(try Self.senderReports(output, 1).count == 4)
        // A jump of the publisher's clock causes new reports immediately.
        fixture.frame(10_000, isKey: true)
        let after = try #require(try Self.senderReports(output, 1).last)
        #expect(try output.packets(0).last?.rtpTimestamp == after.rtpTimestamp)
        reader.end()
        output.clear()
        fixture.eventLoop.advanceTime(by: .seconds(10))
        #expect(output.interleaved.isEmpty)
    }

    private static func senderReports(_ output: RecordingOutput, _ channel: UInt8) throws -> [RTCPSenderReport] {
        try output.reports(channel).compactMap { if case .senderReport(let report) = $0 { report } else { nil } }
    }

    /// NIO reports writability, and the end of a connection, from within a flush.
    @Test func aFlushMayCallBack() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let outputs = [RecordingOutput(), RecordingOutput(), RecordingOutput()]
        let readers = try outputs.map { try #require(fixture.reader($0)) }
        for (reader, output) in zip(readers, outputs) {
            output.onFlush = { [unowned reader] in reader.outputBecameWritable() }
            _ = try reader.play()
            reader.startSending()
        }
        fixture.frame(1, isKey: true)
        #expect(try outputs.map { try $0.frames(0) } == [[1], [1], [1]])
        outputs[1].onFlush = { [unowned reader = readers[1]] in reader.end() }
        fixture.frame(2, isKey: false)
        fixture.frame(3, isKey: false)
        #expect(try outputs.map { try $0.frames(0) } == [[1, 2, 3], [1, 2], [1, 2, 3]])
        outputs[2].onFlush = { [unowned reader = readers[2]] in reader.end() }
        fixture.fanOut.end()
        fixture.eventLoop.run()
        #expect(outputs.map(\.endReason) == [.publisherLeft, nil, nil])
    }

    @Test func receiverReportsAreSignsOfLife() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let reader = try #require(fixture.reader(RecordingOutput()))
        let block = RTCPReportBlock(
            source: 1, fractionLost: 64, cumulativeLost: 10, extendedHighestSequenceNumber: 5, interarrivalJitter: 0,
            lastSenderReport: 0, delaySinceLastSenderReport: 0)
        var buffer = ByteBuffer()
        RTCPPacket.receiverReport(RTCPReceiverReport(source: 2, blocks: [block])).write(into: &buffer)
        #expect(reader.receiveInterleaved(channel: 3, payload: buffer))
        #expect(reader.receptionReports == [1: block])
        #expect(reader.receiveInterleaved(channel: 1, payload: ByteBuffer(bytes: [1, 2, 3])))
        #expect(!reader.receiveInterleaved(channel: 0, payload: buffer))
        #expect(!reader.receiveInterleaved(channel: 9, payload: buffer))
        reader.receiveRTCP(buffer, trackIndex: 7)
        #expect(reader.receptionReports.count == 1)
    }

    @Test func aBurstOfDatagramsIsSpread() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let first = try #require(fixture.reader(RecordingOutput()))
        _ = try first.play()
        first.startSending()
        for number in 0..<10 { fixture.frame(number, isKey: number == 0, byteCount: 30_000) }
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output, transport: .udp))
        _ = try reader.play()
        reader.startSending()
        var counts = [output.datagrams.count]
        for _ in 0..<20 {
            fixture.eventLoop.advanceTime(by: .milliseconds(10))
            counts.append(output.datagrams.count)
        }
        let bursts = zip(counts.dropFirst(), counts).map { $0 - $1 }
        #expect(counts[0] > 0)
        #expect((bursts.max() ?? 0) * 1_400 <= 2 * PacketDelivery.maximumBurstByteCount)
        #expect(output.datagrams.count { !$0.isRTCP } == 10 * 22 + 1)
        #expect(output.interleaved.isEmpty)
    }

    @Test func tracksThatAreNotSetUpAreNotSent() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let reader = try #require(
            LivePlaybackSession(group: fixture.group, title: "", isIPv6: false, output: output))
        #expect(throws: PlaybackError.nothingSetUp) { try reader.play() }
        #expect(!reader.setUp(2, .udp))
        #expect(reader.setUp(1, .interleaved(rtp: 0, rtcp: 1)))
        let start = try reader.play()
        #expect(start.streams.map(\.trackIndex) == [1])
        reader.startSending()
        fixture.frame(1, isKey: true)
        fixture.audio(1)
        #expect(output.interleaved.map(\.channel) == [1, 0])
    }

    @Test func aReleasedTrackIsSentNoMore() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let output = RecordingOutput()
        let reader = try #require(fixture.reader(output))
        _ = try reader.play()
        reader.startSending()
        output.isWritable = false
        fixture.frame(1, isKey: true)
        fixture.audio(1)
        reader.release(0)
        reader.release(9)
        output.isWritable = true
        reader.outputBecameWritable()
        fixture.frame(2, isKey: true)
        fixture.audio(2)
        #expect(try output.packets(0).isEmpty)
        #expect(try output.packets(2).count == 2)
    }

    @Test func channelNumbersAreFreeOnes() throws {
        let fixture = PlaybackFixture()
        try fixture.beginBoth()
        let reader = try #require(
            LivePlaybackSession(group: fixture.group, title: "", isIPv6: false, output: RecordingOutput()))
        #expect(reader.channels(wanted: nil, trackIndex: 1)?.rtp == 2)
        #expect(reader.channels(wanted: (7, 9), trackIndex: 1)?.rtcp == 9)
        #expect(reader.setUp(1, .interleaved(rtp: 0, rtcp: 1)))
        #expect(reader.channels(wanted: (1, 2), trackIndex: 0) == nil)
        #expect(reader.channels(wanted: nil, trackIndex: 0)?.rtp == 2)
        #expect(reader.channels(wanted: (0, 1), trackIndex: 1)?.rtp == 0, "a track may be set up again")
    }
}
