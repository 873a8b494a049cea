import Codecs
import MediaCore
import NIOCore
import NIOEmbedded
import SessionDescription

@testable import LiveChannels
@testable import RTPTransport
@testable import RTSPServer

/// The reader's end of a connection, controlled by the tests.
final class RecordingOutput: PlaybackOutput {
    var isWritable = true
    /// Number of bytes at which the connection is full; `nil` if it accepts everything.
    var capacity: Int?
    private(set) var interleaved: [(channel: UInt8, packet: ByteBuffer)] = []
    private(set) var datagrams: [(trackIndex: Int, isRTCP: Bool, packet: ByteBuffer)] = []
    private(set) var writeCount = 0
    private(set) var flushCount = 0
    private(set) var endReason: PlaybackEndReason?
    private(set) var droppedUnitCount = 0

    func writeInterleaved(_ frames: ByteBuffer) {
        writeCount += 1
        if let left = capacity {
            capacity = left - frames.readableBytes
            if left <= frames.readableBytes { isWritable = false }
        }
        var frames = frames
        while let (dollar, channel) = frames.readMultipleIntegers(as: (UInt8, UInt8).self), dollar == 0x24,
            let packet = frames.readLengthPrefixedSlice(as: UInt16.self)
        {
            interleaved.append((channel, packet))
        }
    }

    func writeDatagram(_ packet: ByteBuffer, trackIndex: Int, isRTCP: Bool) {
        datagrams.append((trackIndex, isRTCP, packet))
    }

    /// Called during a flush, which may make a connection writable or end it.
    var onFlush: (() -> Void)?

    func flush() {
        flushCount += 1
        onFlush?()
    }

    func dropped(unitCount: Int) { droppedUnitCount += unitCount }

    func playbackEnded(_ reason: PlaybackEndReason) { endReason = reason }

    func clear() {
        interleaved = []
        datagrams = []
        writeCount = 0
    }

    /// The RTP packets of an interleaved channel.
    func packets(_ channel: UInt8) throws -> [RTPPacket] {
        try interleaved.filter { $0.channel == channel }.map { frame in
            var packet = frame.packet
            return try RTPPacket(parsing: &packet)
        }
    }

    func reports(_ channel: UInt8) throws -> [RTCPPacket] {
        try interleaved.filter { $0.channel == channel }.flatMap { frame in
            var packet = frame.packet
            return try RTCPPacket.parseCompound(&packet)
        }
    }

    /// The last bytes of the frames that were received, which identify them.
    func frames(_ channel: UInt8) throws -> [UInt8] {
        try packets(channel).filter(\.marker).compactMap { $0.payload.readableBytesView.last }
    }
}

/// A publisher of video and audio, on the same loop as the readers.
struct PlaybackFixture {
    let eventLoop = EmbeddedEventLoop()
    let fanOut = LiveFanOut()
    let groups: LiveReaderGroups
    /// The time at which the loop's clock is zero.
    static let startOfTime = WallClockTime(millisecondsSince1970: 1_700_000_000_000)
    static let video = Track(id: 0, mediaType: .video, timescale: .video90kHz)
    static let audio = Track(id: 1, mediaType: .audio, timescale: Timescale(48_000))

    init() {
        let loop = NIOLoopBound(eventLoop, eventLoop: eventLoop)
        groups = LiveReaderGroups(
            wallClock: WallClock { Self.startOfTime + .nanoseconds(loop.value.now.uptimeNanoseconds) })
    }

    var group: LiveReaderGroup { groups.group(of: fanOut, on: eventLoop) }

    static func h264(pps: [UInt8] = [0x68, 0xCB, 0x8C, 0xB2]) throws -> CodecConfiguration {
        let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x01, 0x40, 0x7B, 0x20]
        return .h264(try H264Configuration(sequenceParameterSets: [sps], pictureParameterSets: [pps]))
    }

    static func aac(channelCount: Int = 2) throws -> CodecConfiguration {
        .aac(try AACConfiguration(sampleRate: 48_000, channelCount: channelCount))
    }

    func begin(video: CodecConfiguration?, audio: CodecConfiguration? = nil) {
        var tracks = [LiveReaderTrack(track: Self.video, configuration: video)]
        if let audio { tracks.append(LiveReaderTrack(track: Self.audio, configuration: audio)) }
        fanOut.begin(tracks: tracks, on: eventLoop)
        eventLoop.run()
    }

    func beginBoth() throws { begin(video: try Self.h264(), audio: try Self.aac()) }

    /// - Parameter number: the last byte of the frame; consecutive numbers are 40 ms apart.
    func frame(_ number: Int, isKey: Bool, byteCount: Int = 10) {
        let body = [UInt8](repeating: 0, count: max(0, byteCount - 1)) + [UInt8(truncatingIfNeeded: number)]
        let unit = FragmentedNALUnit(
            restoredHeader: .oneByte(isKey ? 0x65 : 0x41), fragments: [ByteBuffer(bytes: body)])
        let time = Int64(number) * 3_600
        fanOut.publish(
            AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKey, payload: .nalUnits([unit])),
            trackIndex: 0)
        eventLoop.run()
    }

    func audio(_ number: Int) {
        let time = Int64(number) * 1_920
        fanOut.publish(
            AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: true,
                payload: .frame(ByteBuffer(bytes: [UInt8(truncatingIfNeeded: number)]))), trackIndex: 1)
        eventLoop.run()
    }

    /// A reader that is set up on channels 0 and 1, 2 and 3.
    func reader(
        _ output: RecordingOutput, limits: ReaderQueueLimits = .standard, transport: PlaybackTransport? = nil
    ) -> LivePlaybackSession? {
        let session = LivePlaybackSession(
            group: group, title: "Canal A", isIPv6: false, output: output, queueLimits: limits)
        for index in session?.description.media.indices ?? 0..<0 {
            let channel = UInt8(2 * index)
            _ = session?.setUp(index, transport ?? .interleaved(rtp: channel, rtcp: channel + 1))
        }
        return session
    }
}
