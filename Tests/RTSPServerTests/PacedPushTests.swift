import FastPathSwitch
import Glibc
import NIOCore
import NIOPosix
import PacedSockets
import TestSupport
import Testing

@testable import LiveChannels
@testable import RTPTransport
@testable import RTSPProtocol
@testable import RTSPServer

/// Pushes over real connections that are read at ticks.
@Suite(.timeLimit(.minutes(1)), .enabled(if: FastPaths.takes(.pacedReads)))
struct PacedPushTests {
    @Test func framesThatReadsCutInTwoArriveWhole() async throws {
        try await withConnection { connection in
            var stream = Script.stream(Script.frames(60))
            let piece = stream.readSlice(length: stream.readableBytes * 3 / 4 + 7) ?? ByteBuffer()
            try await connection.publisher.send(piece)
            try await eventually { connection.live.status().state == .live }
            try await connection.publisher.send(stream)
            try await connection.publisher.barrier(connection.session)
            #expect(connection.live.status().packetsLost == 0)
            #expect(connection.environment.counters.snapshot.malformedPacketCount == 0)
        }
    }

    /// A burst is not held up until the next tick, because its sender would have to wait.
    @Test func aBurstThatIsLargerThanTheReceiveBufferArrivesWhole() async throws {
        try await withConnection { connection in
            try await connection.publisher.send(Script.stream(Script.frames(31)))
            let large = (0..<4_000).map { Script.packet(93 + $0, [0x41] + Array(repeating: 1, count: 1_300)) }
            try await connection.publisher.send(Script.stream(large))
            try await connection.publisher.barrier(connection.session)
            #expect(connection.live.status().packetsLost == 0)
        }
    }

    /// The selector is asked to report data as it arrives when somebody begins to wait for a part, and after the
    /// session.
    @Test func theSelectorReportsLittleDataOnlyWhileSomebodyNeedsIt() async throws {
        try await withConnection { connection in
            try await connection.publisher.send(Script.stream(Script.frames(60)))
            try await eventually { connection.live.status().state == .live }
            #expect(try await connection.lowWater() == ConnectionPacing.lowWaterByteCount)
            let part = AwaitedMedia.position(ReloadPosition(mediaSequence: 100, part: 0), rendition: "video")
            _ = connection.live.wait(for: part, identifier: 1, on: connection.loop)
            while try await connection.lowWater() != 1 { try await connection.publisher.barrier(connection.session) }
            connection.live.stopWaiting(1)
        }
        try await withConnection { connection in
            #expect(try await connection.lowWater() == ConnectionPacing.lowWaterByteCount)
            let end = try await connection.publisher.request(
                "TEARDOWN \(Self.url) RTSP/1.0\r\nCSeq: 9\r\nSession: \(connection.session)\r\n\r\n")
            #expect(end.status.code == 200)
            #expect(try await connection.lowWater() == 1)
            // The connection can be used for another push.
            _ = try await Script.begin(&connection.publisher, Self.url)
        }
    }

    @Test(arguments: [false, true])
    func theEndOfTheConnectionIsNoticedWithoutATick(isReset: Bool) async throws {
        try await withConnection { connection in
            try await connection.publisher.send(Script.stream(Script.frames(60)))
            try await eventually { connection.live.status().state == .live }
            if isReset {
                let socket = try #require(connection.publisher.channel as? any SocketOptionProvider)
                try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            }
            try await connection.publisher.send(Script.stream([Script.packet(180, [0x41, 1])]))
            try await connection.publisher.close()
            try await eventually { connection.live.status().publisher == nil }
            #expect(connection.environment.counters.snapshot.recordingSessionCount == 0)
        }
    }

    // MARK: Fixture

    private static let url = "rtsp://127.0.0.1/live/canalA.stream"

    private final class Connection {
        let environment: RTSPServerEnvironment
        let live: LiveChannel
        let accepted: any Channel
        var publisher: RTSPTestPublisher
        let session: String

        var loop: any EventLoop { accepted.eventLoop }

        init(_ environment: RTSPServerEnvironment, _ live: LiveChannel) async throws {
            (self.environment, self.live) = (environment, live)
            let (connections, continuation) = AsyncStream.makeStream(of: (any Channel).self)
            let listener = try await ServerBootstrap(group: environment.eventLoopGroup)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            RTSPConnectionHandler(environment: environment, channel: channel, isSecure: false))
                        continuation.yield(channel)
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            publisher = try await RTSPTestPublisher(
                to: try #require(listener.localAddress), on: environment.eventLoopGroup.next())
            var iterator = connections.makeAsyncIterator()
            accepted = try #require(await iterator.next())
            session = try await Script.begin(&publisher, PacedPushTests.url)
            // Not before, because a listener that closes takes along what it is about to accept.
            try await listener.close()
        }

        func lowWater() async throws -> Int {
            try await accepted.getOption(.socketOption(.init(rawValue: SO_RCVLOWAT))).get()
        }
    }

    private func withConnection(_ body: (Connection) async throws -> Void) async throws {
        var configuration = RTSPServerConfiguration(port: 0)
        configuration.limits.settlingTime = .zero
        let environment = RTSPServerEnvironment.forTests(configuration, on: MultiThreadedEventLoopGroup.singleton)
        let connection = try await Connection(environment, try #require(environment.channels.channel(named: "canalA")))
        try await body(connection)
        try await connection.publisher.close()
        try await connection.accepted.closeFuture.get()
    }
}
