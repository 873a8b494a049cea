import Logging
import MediaCore
import NIOCore
import NIOPosix
import StreamConnections
import Synchronization
import Testing

@testable import LiveChannels
@testable import RTPTransport
@testable import RTSPProtocol
@testable import RTSPServer

/// A minimal publisher, which sends what a test specifies over a real socket and reads the responses.
struct RTSPTestPublisher {
    let channel: any Channel
    private var inbound: AsyncStream<ByteBuffer>.Iterator
    private var parser = RTSPMessageParser()
    private var pending = ByteBuffer()
    var frames: [InterleavedFrame] = []

    init(to address: SocketAddress, on loop: any EventLoop) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CollectingHandler(continuation))
                }
            }
            .connect(to: address).get()
        inbound = stream.makeAsyncIterator()
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }
    func send(_ buffer: ByteBuffer) async throws { try await channel.writeAndFlush(buffer) }

    func send(_ packet: RTPPacket, channel number: UInt8) async throws {
        try await send(Script.stream([packet], channel: number))
    }

    /// The next response; `nil` if the connection ends first. Interleaved frames are appended to ``frames``.
    mutating func response() async throws -> RTSPResponse? {
        while true {
            while let element = try parser.next(from: &pending) {
                switch element {
                case .response(let response): return response
                case .interleavedFrame(let frame): frames.append(frame)
                case .request: Issue.record("the server sends requests")
                }
            }
            guard let buffer = await inbound.next() else { return nil }
            pending.writeImmutableBuffer(buffer)
        }
    }

    /// Sends SETUP and PLAY of the first track with TCP; returns the session ID.
    mutating func play(_ url: String) async throws -> String {
        let transport = "RTP/AVP/TCP;unicast;interleaved=0-1"
        let setUp = try await request("SETUP \(url)/trackID=0 RTSP/1.0\r\nCSeq: 2\r\nTransport: \(transport)\r\n\r\n")
        #expect(setUp.status.code == 200)
        let session = try #require(setUp.headers["Session"]?.split(separator: ";").first.map(String.init))
        let playing = try await request("PLAY \(url) RTSP/1.0\r\nCSeq: 3\r\nSession: \(session)\r\n\r\n")
        #expect(playing.status.code == 200 && playing.headers["RTP-Info"] != nil)
        return session
    }

    mutating func request(_ text: String) async throws -> RTSPResponse {
        try await send(text)
        return try #require(try await response())
    }

    /// The response to a request that changes nothing. When it arrives, everything sent before has been handled.
    mutating func barrier(_ session: String) async throws {
        _ = try await request("GET_PARAMETER * RTSP/1.0\r\nCSeq: 99\r\nSession: \(session)\r\n\r\n")
    }

    func close() async throws { try? await channel.close() }
}

/// - Note: the continuation ends with the connection.
final class CollectingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    init(_ continuation: AsyncStream<ByteBuffer>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { continuation.yield(unwrapInboundIn(data)) }
    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// A running server with two channels, and helpers for tests.
struct RunningServer {
    let server: RTSPServer
    let channels: LiveChannelDirectory
    let address: SocketAddress
    let loop: any EventLoop

    func publisher() async throws -> RTSPTestPublisher { try await RTSPTestPublisher(to: address, on: loop) }

    func status(_ name: String) throws -> ChannelStatus { try #require(channels.channel(named: name)).status() }

    var url: String { "rtsp://127.0.0.1:\(address.port ?? 0)/live/canalA.stream" }

    /// Polls the server over the network, and therefore without spinning, until it has reached a state.
    func wait(until condition: () throws -> Bool) async throws {
        for _ in 0..<2_000 {
            if try condition() { return }
            var probe = try await publisher()
            _ = try await probe.request("OPTIONS * RTSP/1.0\r\n\r\n")
            try await probe.close()
        }
        Issue.record("it did not come to that")
    }
}

func withServer(
    _ adjust: (inout RTSPServerConfiguration) -> Void = { _ in }, log: (any LogHandler)? = nil,
    admission: (any StreamAdmission)? = nil, publishing: PublishingPolicy = PublishingPolicy(),
    _ body: (RunningServer) async throws -> Void
) async throws {
    var configuration = RTSPServerConfiguration(port: 0, udpPortRange: 21_000...21_999)
    adjust(&configuration)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    if let log { logger = Logger(label: "test") { _ in log } }
    let preset = QualityPreset(name: "high", width: 1_280, height: 720, frameRate: 30, videoBitRate: 1, audioBitRate: 1)
    let channels = LiveChannelDirectory(
        configurations: ["canalA", "canalB"].map {
            ChannelConfiguration(name: $0, title: $0, defaultPreset: "high", presets: [preset], publishing: publishing)
        }, logger: logger)
    let group = MultiThreadedEventLoopGroup.singleton
    let server = RTSPServer(
        configuration: configuration, channels: channels, eventLoopGroup: group, admission: admission, logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await server.run() }
        try await body(
            RunningServer(
                server: server, channels: channels, address: try await server.boundAddress(), loop: group.next()))
        tasks.cancelAll()
        try await tasks.waitForAll()
    }
    #expect(server.statistics().openConnectionCount == 0)
    #expect(server.statistics().recordingSessionCount == 0)
}

extension RTSPServerEnvironment {
    /// The environment that connection handlers need and that no server has made: a channel `canalA` and no titles.
    static func forTests(
        _ configuration: RTSPServerConfiguration = RTSPServerConfiguration(), on group: any EventLoopGroup
    ) -> RTSPServerEnvironment {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let preset = QualityPreset(
            name: "high", width: 1_280, height: 720, frameRate: 30, videoBitRate: 1, audioBitRate: 1)
        let channels = LiveChannelDirectory(
            configurations: [
                ChannelConfiguration(name: "canalA", title: "", defaultPreset: "high", presets: [preset])
            ], logger: logger)
        return RTSPServerEnvironment(
            configuration: configuration, channels: channels, titles: nil, threadPool: .singleton,
            eventLoopGroup: group, logger: logger)
    }
}

/// A log handler that records messages with the metadata of their calls.
struct RecordedLog: LogHandler {
    private final class Lines: Sendable {
        let value = Mutex<[(message: String, metadata: Logger.Metadata)]>([])
    }

    private let lines = Lines()
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    func metadata(of message: String) -> [[String: String]] {
        lines.value.withLock { $0.filter { $0.message == message }.map { $0.metadata.mapValues { "\($0)" } } }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.value.withLock { $0.append(("\(event.message)", event.metadata ?? [:])) }
    }
}

enum Script {
    static let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x01, 0x40, 0x7B, 0x20]
    static let pps: [UInt8] = [0x68, 0xCB, 0x8C, 0xB2]
    static let videoSDP =
        "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
        + "a=fmtp:96 packetization-mode=1\r\na=control:streamid=0\r\n"

    static func announce(_ url: String, sdp: String = videoSDP, contentType: String = "application/sdp") -> String {
        "ANNOUNCE \(url) RTSP/1.0\r\nCSeq: 1\r\nContent-Type: \(contentType)\r\nContent-Length: \(sdp.utf8.count)\r\n\r\n"
            + sdp
    }

    static func setup(_ url: String, track: Int = 0, transport: String) -> String {
        "SETUP \(url)/streamid=\(track) RTSP/1.0\r\nCSeq: 2\r\nTransport: \(transport)\r\n\r\n"
    }

    static func record(_ url: String) -> String { "RECORD \(url) RTSP/1.0\r\nCSeq: 3\r\nRange: npt=0-\r\n\r\n" }

    static let tcp = "RTP/AVP/TCP;unicast;interleaved=0-1;mode=record"

    static func packet(_ index: Int, _ payload: [UInt8], marker: Bool = true, type: UInt8 = 96) -> RTPPacket {
        RTPPacket(
            payloadType: type, marker: marker, sequenceNumber: UInt16(index), rtpTimestamp: UInt32(index / 3 * 3_000),
            synchronizationSource: 5, payload: ByteBuffer(bytes: payload))
    }

    /// Parameter sets and a key frame, then the given number of frames, in three packets each.
    static func frames(_ count: Int) -> [RTPPacket] {
        (0..<count).flatMap { index -> [RTPPacket] in
            let base = index * 3
            return index % 30 == 0
                ? [
                    packet(base, sps, marker: false), packet(base + 1, pps, marker: false),
                    packet(base + 2, [0x65] + Array(repeating: 1, count: 900)),
                ]
                : [
                    packet(base, [0x5C, 0x81, 1], marker: false), packet(base + 1, [0x5C, 0x01, 2], marker: false),
                    packet(base + 2, [0x5C, 0x41, 3]),
                ]
        }
    }

    /// The packets as interleaved frames, one after the other.
    static func stream(_ packets: [RTPPacket], channel number: UInt8 = 0) -> ByteBuffer {
        var stream = ByteBuffer()
        for packet in packets {
            var bytes = ByteBuffer()
            packet.write(into: &bytes)
            InterleavedFrame(channel: number, payload: bytes).write(into: &stream)
        }
        return stream
    }

    /// Sends ANNOUNCE, SETUP with TCP, and RECORD; returns the session ID.
    static func begin(_ publisher: inout RTSPTestPublisher, _ url: String) async throws -> String {
        let announced = try await publisher.request(announce(url))
        #expect(announced.status.code == 200)
        let session = try #require(announced.headers["Session"]?.split(separator: ";").first.map(String.init))
        #expect(try await publisher.request(setup(url, transport: tcp)).status.code == 200)
        #expect(try await publisher.request(record(url)).status.code == 200)
        return session
    }
}
