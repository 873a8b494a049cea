import FastPathSwitch
import Glibc
import LiveChannels
import Logging
import MediaCore
import NIOCore
import NIOPosix
import PacedSockets
import RTMPProtocol
import Synchronization
import TestSupport
import Testing

@testable import RTMPServer

/// Pushes over real connections that are read at ticks, as those of RTSP are.
@Suite(.timeLimit(.minutes(1)), .enabled(if: FastPaths.takes(.pacedReads)))
struct PacedRTMPPushTests {
    /// The selector is asked to report data as it arrives when somebody begins to wait for a part.
    @Test func theSelectorReportsLittleDataOnlyWhileNobodyNeedsIt() async throws {
        try await withPush { push in
            try await push.send(frames: 0..<60)
            try await eventually { push.channel.status().state == .live }
            try await eventually { await push.lowWater == ConnectionPacing.lowWaterByteCount }
            let part = AwaitedMedia.position(ReloadPosition(mediaSequence: 100, part: 0), rendition: "video")
            _ = push.channel.wait(for: part, identifier: 1, on: push.loop)
            try await eventually { await push.lowWater == 1 }
            push.channel.stopWaiting(1)
        }
    }

    /// Reads end anywhere in a tag, and what comes at once is more than the receive buffer holds.
    @Test func everyFrameArrivesWhole() async throws {
        try await withPush { push in
            let reader = Reader()
            let subscription = push.loop.submit { _ = push.channel.fanOut.subscribe(reader, on: push.loop) }
            try await subscription.get()
            try await push.send(frames: 0..<30)
            try await push.send(frames: 30..<600, byteCount: 9_000, pieces: 70_001)
            try await eventually { reader.frames.withLock { $0.count } == 600 }
            let frames = reader.frames.withLock { $0 }
            #expect(frames.prefix(30).allSatisfy { $0 == 1_004 } && frames.dropFirst(30).allSatisfy { $0 == 9_004 })
        }
    }

    @Test func theEndOfTheConnectionIsNoticedWithoutATick() async throws {
        try await withPush { push in
            try await push.send(frames: 0..<60)
            try await eventually { await push.lowWater == ConnectionPacing.lowWaterByteCount }
            try await push.client.close()
            try await eventually { push.channel.status().publisher == nil }
        }
    }

    // MARK: Fixture

    /// Notes the sizes of the frames that readers get.
    private final class Reader: LiveFanOutReceiver, Sendable {
        let frames = Mutex<[Int]>([])

        func receive(_ event: LiveFanOutEvent, subscription: Int) {
            // Each frame has one NAL unit, behind its length of four bytes.
            if case .unit(let unit) = event { frames.withLock { $0.append(unit.unit.payload.byteCount) } }
        }
    }

    /// A publisher of video.
    private final class Push: Sendable {
        let channel: LiveChannel
        let client: any Channel
        private let accepted: any Channel
        private let session: Mutex<RTMPClientSession>

        var loop: any EventLoop { accepted.eventLoop }

        init(
            _ channel: LiveChannel, client: any Channel, accepted: any Channel, session: RTMPClientSession
        ) {
            (self.channel, self.client, self.accepted) = (channel, client, accepted)
            self.session = Mutex(session)
        }

        /// Unread bytes that the kernel reports.
        var lowWater: Int? {
            get async { try? await accepted.getOption(.socketOption(.init(rawValue: SO_RCVLOWAT))).get() }
        }

        func send(frames: Range<Int>, byteCount: Int = 1_000, pieces: Int = .max) async throws {
            var bytes = session.withLock { session in
                for frame in frames { Self.send(frame, byteCount: byteCount, by: &session) }
                return session.takeOutput()
            }
            while let piece = bytes.readSlice(length: min(pieces, bytes.readableBytes)), piece.readableBytes > 0 {
                try await client.writeAndFlush(piece)
            }
        }

        private static func send(_ frame: Int, byteCount: Int, by session: inout RTMPClientSession) {
            func send(_ content: FLVTag.Content, _ milliseconds: Int) {
                guard let body = FLVTag(codec: .h264, content: content).body() else { return }
                session.send(RTMPMedia(isVideo: true, timestamp: UInt32(milliseconds), payload: body))
            }
            if frame == 0 {
                session.send(metadata: [.init("videocodecid", .number(7)), .init("width", .number(1_280))])
                send(.configuration(ByteBuffer(bytes: RTMPPublicationTests.record)), 0)
            }
            let isKeyFrame = frame % 30 == 0
            var payload = ByteBuffer(integer: UInt32(byteCount))
            payload.writeInteger(isKeyFrame ? 0x65 as UInt8 : 0x41)
            payload.writeRepeatingByte(1, count: byteCount - 1)
            send(.frame(payload, isKeyFrame: isKeyFrame, composition: .none), frame * 40)
        }
    }

    /// Waits for the server's grant.
    private final class Granting: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private var session: RTMPClientSession
        private let granted: EventLoopPromise<RTMPClientSession>

        init(_ session: RTMPClientSession, granted: EventLoopPromise<RTMPClientSession>) {
            (self.session, self.granted) = (session, granted)
        }

        func channelActive(context: ChannelHandlerContext) { flush(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            do {
                for event in try session.receive(unwrapInboundIn(data)) {
                    if case .started = event { return granted.succeed(session) }
                }
                flush(context)
            } catch {
                granted.fail(error)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { granted.fail(ChannelError.eof) }

        private func flush(_ context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(session.takeOutput()), promise: nil)
        }
    }

    private func withPush(_ body: (Push) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let preset = QualityPreset(
            name: "medium", width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000)
        let directory = LiveChannelDirectory(
            configurations: [
                ChannelConfiguration(name: "canalA", title: "Canal A", defaultPreset: "medium", presets: [preset])
            ], logger: logger)
        var configuration = RTMPServerConfiguration()
        configuration.limits.settlingTime = .zero
        let environment = RTMPServerEnvironment(
            configuration: configuration, channels: directory, eventLoopGroup: group, admission: nil, logger: logger)
        let (connections, continuation) = AsyncStream.makeStream(of: (any Channel).self)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        RTMPConnectionHandler(environment: environment, channel: channel, isSecure: false))
                    continuation.yield(channel)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let granted = group.next().makePromise(of: RTMPClientSession.self)
        let client = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let session = RTMPClientSession(
                        .publishing, application: "live", name: "canalA.stream", address: "rtmp://127.0.0.1/live",
                        random: ByteBuffer(repeating: 7, count: RTMPHandshake.randomByteCount))
                    try channel.pipeline.syncOperations.addHandler(Granting(session, granted: granted))
                }
            }
            .connect(to: try #require(listener.localAddress)).get()
        var iterator = connections.makeAsyncIterator()
        let accepted = try #require(await iterator.next())
        let channel = try #require(directory.channel(named: "canalA"))
        let push = Push(channel, client: client, accepted: accepted, session: try await granted.futureResult.get())
        // Not before, because a listener that closes takes along what it is about to accept.
        try await listener.close()
        try await body(push)
        try? await client.close()
        try await accepted.closeFuture.get()
    }
}
