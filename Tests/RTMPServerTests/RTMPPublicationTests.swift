import ChannelPublishing
import Codecs
import HLSPlaylist
import LiveChannels
import Logging
import MediaCore
import NIOCore
import NIOEmbedded
import RTMPProtocol
import Synchronization
import TestSupport
import Testing

@testable import RTMPServer

/// Tags that become a push.
struct RTMPPublicationTests {
    private let loop = EmbeddedEventLoop()
    private let clock = TestClock()
    private let channel: LiveChannel
    private let publication: RTMPPublication
    private let receiver = Receiver()

    /// libx264 (core 164): `-f lavfi -i testsrc2=s=1280x720:r=30 -profile:v main -bf 0`
    private static let sequenceSet: [UInt8] = [
        0x67, 0x4d, 0x40, 0x1f, 0xd9, 0x00, 0x50, 0x05, 0xbb, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10, 0x00, 0x00,
        0x03,
        0x03, 0xc0, 0xf1, 0x83, 0x24, 0x80,
    ]
    private static let pictureSet: [UInt8] = [0x68, 0xeb, 0xc3, 0xcb, 0x20]
    private static let stereo: [UInt8] = [0x11, 0x90]
    /// The configuration record of both parameter sets.
    static let record =
        (try? H264Configuration(
            sequenceParameterSets: [sequenceSet], pictureParameterSets: [pictureSet]
        ).record) ?? []

    /// Notes what readers of the channel get.
    private final class Receiver: LiveFanOutReceiver {
        var log: [String] = []
        var units: [(unit: AccessUnit, track: Int)] = []

        func receive(_ event: LiveFanOutEvent, subscription: Int) {
            switch event {
            case .began(let broadcast):
                log.append("began " + broadcast.tracks.map { "\($0.track.mediaType)" }.joined(separator: "+"))
            case .configured(_, let index): log.append("configured \(index)")
            case .unit(let unit): units.append((unit.unit, unit.trackIndex))
            case .ended: log.append("ended")
            }
        }
    }

    init() {
        let preset = QualityPreset(
            name: "medium", width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000)
        channel = LiveChannel(
            configuration: ChannelConfiguration(
                name: "canalA", title: "Canal A", defaultPreset: "medium", presets: [preset]),
            with: ChannelEquipment(), clock: clock.wallClock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        publication = RTMPPublication(
            to: channel,
            by: Publisher(remoteAddress: "192.0.2.1:40000", userAgent: nil, transport: "RTMP", presetName: nil),
            on: loop, limits: RTMPServerLimits()
        ) { _ in }
        _ = channel.fanOut.subscribe(receiver, on: loop)
    }

    // MARK: Tags

    private func send(_ tag: FLVTag, at timestamp: UInt32) throws {
        try publication.receive(
            RTMPMedia(isVideo: tag.isVideo, timestamp: timestamp, payload: try #require(tag.body())))
        loop.run()
    }

    private func sendParameters(audio: Bool = true, video: Bool = true) throws {
        if video {
            try send(FLVTag(codec: .h264, content: .configuration(ByteBuffer(bytes: Self.record))), at: 0)
        }
        if audio { try send(FLVTag(codec: .aac, content: .configuration(ByteBuffer(bytes: Self.stereo))), at: 0) }
    }

    /// A frame of NAL units with their lengths.
    private func sendVideo(
        _ units: [[UInt8]] = [[0x41, 1]], key: Bool = false, composition: Int32 = 0, at timestamp: UInt32
    ) throws {
        var bytes = ByteBuffer()
        for unit in units {
            bytes.writeInteger(UInt32(unit.count))
            bytes.writeBytes(unit)
        }
        try send(
            FLVTag(
                codec: .h264,
                content: .frame(bytes, isKeyFrame: key, composition: .init(milliseconds: composition))), at: timestamp)
    }

    private func sendAudio(at timestamp: UInt32) throws {
        try send(
            FLVTag(
                codec: .aac, content: .frame(ByteBuffer(bytes: [0x21, 0x10]), isKeyFrame: true, composition: .none)),
            at: timestamp)
    }

    private func receiveData(_ fields: [AMF0Value.Property]) {
        publication.receive(data: "onMetaData", [.ecmaArray(fields)])
    }

    // MARK: Beginnings

    @Test func aPushBeginsWhenBothTracksAreKnown() throws {
        try sendParameters()
        #expect(!publication.hasBegun)
        try sendVideo([[0x65, 1]], key: true, at: 0)
        #expect(receiver.log == ["began video+audio"])
        try sendAudio(at: 0)
        try sendVideo(composition: 80, at: 40)
        #expect(receiver.units.map(\.track) == [0, 1, 0])
        let (first, last) = (receiver.units[0].unit, receiver.units[2].unit)
        #expect(first.isRandomAccessPoint && !first.refersBack && !last.isRandomAccessPoint)
        #expect(last.decodeTime - first.decodeTime == 3_600 && last.presentationTime - last.decodeTime == 7_200)
    }

    @Test func metadataSaysThatOnlyOneTrackComes() throws {
        receiveData([.init("videocodecid", .number(7)), .init("width", .number(1_280))])
        try sendParameters(audio: false)
        try sendVideo([[0x65, 1]], key: true, at: 0)
        #expect(receiver.log == ["began video"])
    }

    @Test func withoutMetadataTheOtherTrackIsWaitedForAWhile() throws {
        try sendParameters(audio: false)
        try sendVideo([[0x65, 1]], key: true, at: 0)
        loop.advanceTime(by: .milliseconds(1_990))
        try sendVideo(at: 1_990)
        #expect(receiver.log.isEmpty)
        loop.advanceTime(by: .milliseconds(10))
        try sendVideo(at: 2_000)
        #expect(receiver.log == ["began video"] && receiver.units.count == 3)
    }

    @Test func audioByItselfIsAPush() throws {
        receiveData([.init("audiocodecid", .number(10))])
        try sendParameters(video: false)
        try sendAudio(at: 0)
        #expect(receiver.log == ["began audio"])
    }

    @Test func aTrackThatComesLaterBeginsThePushAnew() throws {
        receiveData([.init("videocodecid", .number(7))])
        try sendParameters(audio: false)
        try sendVideo([[0x65, 1]], key: true, at: 0)
        try sendParameters(video: false)
        try sendAudio(at: 40)
        #expect(receiver.log == ["began video", "ended", "began video+audio"])
    }

    @Test func whatWaitsIsLimited() throws {
        try sendParameters(audio: false)
        for index in 0..<RTMPServerLimits().gathering.unitCount { try sendVideo(key: index == 0, at: 0) }
        #expect(publication.hasBegun)
    }

    // MARK: Frames

    /// Parameter sets in a frame are parameters, and no part of the frame; delimiters and filling are nothing.
    @Test func parameterSetsInAFrameAreTakenOut() throws {
        try sendParameters()
        var changed = Self.sequenceSet
        changed[3] = 0x28
        try sendVideo([[0x09, 0xF0], changed, Self.pictureSet, [0x0C, 0xFF], [0x65, 1]], key: true, at: 0)
        try sendVideo([[0x09, 0xF0], Self.sequenceSet, Self.pictureSet, [0x65, 2]], key: true, at: 40)
        #expect(receiver.log == ["began video+audio", "configured 0"])
        #expect(receiver.units.map(\.unit.payload.byteCount) == [6, 6])
    }

    /// A key frame without an IDR picture is a recovery point: frames after it may refer to before.
    @Test func aRecoveryPointRefersBack() throws {
        try sendParameters()
        try sendVideo([[0x06, 6, 1, 0x80], [0x41, 1]], key: true, at: 0)
        let unit = try #require(receiver.units.first?.unit)
        #expect(unit.isRandomAccessPoint && unit.refersBack)
    }

    @Test func damagedFramesEndThePush() throws {
        try sendParameters()
        try sendVideo([[0x65, 1]], key: true, at: 0)
        let damaged = ByteBuffer(bytes: [0, 0, 1, 0, 0x65])
        #expect(throws: PushRefusal("a NAL unit is longer than its frame")) {
            try send(FLVTag(codec: .h264, content: .frame(damaged, isKeyFrame: true, composition: .none)), at: 40)
        }
        let many = [[UInt8]](repeating: [0x41], count: 513)
        #expect(throws: PushRefusal.self) { try sendVideo(many, at: 80) }
    }

    @Test(arguments: [
        (false, [0x2F, 1], "MP3", "AAC"), (false, [0xB2, 1], "Speex", "AAC"), (true, [0x12, 1], "Sorenson", "H.264"),
    ]) func codecsThatNobodyPlaysAreNamed(_ isVideo: Bool, _ bytes: [UInt8], _ name: String, _ better: String) {
        let media = RTMPMedia(isVideo: isVideo, timestamp: 0, payload: ByteBuffer(bytes: bytes))
        let refusal = #expect(throws: PushRefusal.self) { try publication.receive(media) }
        #expect(
            refusal?.reason.hasPrefix(name) == true && refusal?.reason.hasSuffix("set the encoder to \(better)") == true
        )
    }

    @Test func parametersThatCannotBeUsedAreARefusal() {
        let tag = FLVTag(codec: .h264, content: .configuration(ByteBuffer(bytes: [1, 2, 3])))
        let refusal = #expect(throws: PushRefusal.self) { try send(tag, at: 0) }
        #expect(refusal?.reason.hasPrefix("H.264 cannot be used") == true)
    }

    @Test func furtherTracksOfAKindAreLeftOut() throws {
        try sendParameters()
        try sendVideo([[0x65, 1]], key: true, at: 0)
        let other = RTMPMedia(
            isVideo: true, timestamp: 0,
            payload: ByteBuffer(bytes: [0x96, 0x01] + Array("av01".utf8) + [5, 9]))
        try publication.receive(other)
        #expect(receiver.log == ["began video+audio"] && receiver.units.count == 1)
    }

    @Test func aSecondPublisherIsRefusedWhenItBegins() throws {
        try sendParameters()
        try sendVideo([[0x65, 1]], key: true, at: 0)
        let second = RTMPPublication(
            to: channel,
            by: Publisher(remoteAddress: "192.0.2.2:1", userAgent: nil, transport: "RTMP", presetName: nil), on: loop,
            limits: RTMPServerLimits()
        ) { _ in }
        second.receive(data: "onMetaData", [.ecmaArray([.init("audiocodecid", .number(10))])])
        try second.receive(
            RTMPMedia(isVideo: false, timestamp: 0, payload: ByteBuffer(bytes: [0xAF, 0] + Self.stereo)))
        #expect(throws: PublishingError.self) {
            try second.receive(
                RTMPMedia(isVideo: false, timestamp: 0, payload: ByteBuffer(bytes: [0xAF, 1, 0x21, 0x10])))
        }
        publication.end(reason: "over", isIntended: true)
        loop.run()
        #expect(receiver.log.last == "ended")
    }

    /// Captions that come in the middle of a push are declared from then on.
    @Test func captionsInTheFramesAreDeclared() throws {
        func playlist() -> String { channel.window().multivariantPlaylist().rendered() }
        try sendParameters()
        for index in 0..<100 {
            try sendVideo([[0x65, 1]], key: index % 25 == 0, at: UInt32(index) * 40)
            try sendAudio(at: UInt32(index) * 40)
            clock.advance(by: .milliseconds(40))
        }
        #expect(playlist().contains("#EXT-X-STREAM-INF") && !playlist().contains("CLOSED-CAPTIONS"))
        let captions: [UInt8] =
            [6, 4, 14, 0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03, 0x41, 0xFF, 0xFC, 0x94, 0x2C, 0xFF, 0x80]
        try sendVideo([captions, [0x41, 1]], at: 4_000)
        #expect(
            playlist().contains(
                #"TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC1",DEFAULT=NO,AUTOSELECT=YES,INSTREAM-ID="CC1""#))
        #expect(playlist().contains(#"CLOSED-CAPTIONS="cc""#))
    }
}
