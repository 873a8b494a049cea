import MediaCore
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import LiveChannels
@testable import RTSPServer

/// The connection handler of a reader without a socket, so that a test decides when the connection is full.
private final class ReaderConnection {
    let loop = EmbeddedEventLoop()
    let channel: EmbeddedChannel
    let environment: RTSPServerEnvironment
    private(set) weak var handler: RTSPConnectionHandler?
    private let fanOut: LiveFanOut

    static let url = "rtsp://127.0.0.1/live/canalA.stream"

    init() throws {
        environment = .forTests(on: loop)
        fanOut = try #require(environment.channels.channel(named: "canalA")).fanOut
        channel = EmbeddedChannel(loop: loop)
        let handler = RTSPConnectionHandler(environment: environment, channel: channel, isSecure: false)
        self.handler = handler
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 4)).wait()
    }

    func request(_ text: String) throws -> String {
        try channel.writeInbound(ByteBuffer(string: text))
        loop.run()
        return String(buffer: try #require(try channel.readOutbound(as: ByteBuffer.self)))
    }

    func startPlaying() throws {
        fanOut.begin(
            tracks: [LiveReaderTrack(track: PlaybackFixture.video, configuration: try PlaybackFixture.h264())], on: loop
        )
        _ = try request("DESCRIBE \(Self.url) RTSP/1.0\r\nCSeq: 1\r\n\r\n")
        let setUp = try request(
            "SETUP \(Self.url)/trackID=0 RTSP/1.0\r\nCSeq: 2\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n")
        let session = try #require(setUp.firstMatch(of: /Session: (\d+)/)).output.1
        let playing = try request("PLAY \(Self.url) RTSP/1.0\r\nCSeq: 3\r\nSession: \(session)\r\n\r\n")
        #expect(playing.hasPrefix("RTSP/1.0 200"))
    }

    func publishFrame(_ number: UInt8, isKey: Bool) {
        let unit = FragmentedNALUnit(
            restoredHeader: .oneByte(isKey ? 0x65 : 0x41), fragments: [ByteBuffer(bytes: [number])])
        let time = Int64(number) * 3_600
        fanOut.publish(
            AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKey, payload: .nalUnits([unit])),
            trackIndex: 0)
        loop.run()
    }

    func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
        loop.run()
    }

    /// The last bytes of the packets that were sent on the video track's channel since the previous call.
    func sentFrames() throws -> [UInt8] {
        var numbers: [UInt8] = []
        while var frames = try channel.readOutbound(as: ByteBuffer.self) {
            while let (_, number) = frames.readMultipleIntegers(as: (UInt8, UInt8).self),
                let packet = frames.readLengthPrefixedSlice(as: UInt16.self)
            {
                if number == 0, let last = packet.readableBytesView.last { numbers.append(last) }
            }
        }
        return numbers
    }
}

struct ConnectionWritabilityTests {
    @Test func aFullConnectionGetsNothingUntilItHasRoom() throws {
        let connection = try ReaderConnection()
        try connection.startPlaying()
        connection.publishFrame(1, isKey: true)
        #expect(try connection.sentFrames().last == 1)
        connection.setWritable(false)
        connection.publishFrame(2, isKey: false)
        connection.publishFrame(3, isKey: false)
        #expect(try connection.sentFrames() == [])
        connection.setWritable(true)
        #expect(try connection.sentFrames() == [2, 3])
        connection.publishFrame(4, isKey: false)
        #expect(try connection.sentFrames() == [4])
        _ = try connection.channel.finish()
    }

    @Test func framesThatASlowReaderDidNotGetAreCounted() throws {
        let connection = try ReaderConnection()
        try connection.startPlaying()
        connection.publishFrame(1, isKey: true)
        connection.setWritable(false)
        connection.publishFrame(2, isKey: false)
        connection.loop.advanceTime(by: ReaderQueueLimits.standard.maximumDelay + .milliseconds(1))
        #expect(connection.environment.counters.snapshot.droppedUnitCount == 0)
        // The waiting packets are too late now, and this one depends on them.
        connection.publishFrame(3, isKey: false)
        #expect(connection.environment.counters.snapshot.droppedUnitCount == 2)
        connection.publishFrame(4, isKey: false)
        #expect(connection.environment.counters.snapshot.droppedUnitCount == 3)
        _ = try connection.channel.finish()
    }

    /// The output refers to the connection, which owns it.
    @Test func aConnectionThatHasEndedIsReleased() throws {
        let connection = try ReaderConnection()
        try connection.startPlaying()
        connection.publishFrame(1, isKey: true)
        #expect(connection.handler != nil)
        _ = try connection.channel.finish()
        connection.loop.run()
        #expect(connection.handler == nil)
        #expect(connection.environment.counters.snapshot.playingSessionCount == 0)
    }
}
