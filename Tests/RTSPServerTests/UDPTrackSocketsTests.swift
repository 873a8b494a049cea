import MediaCore
import NIOCore
import NIOPosix
import Testing

@testable import RTSPServer

@Suite(.timeLimit(.minutes(1)))
struct UDPTrackSocketsTests {
    /// Records received datagrams, and reports when as many have arrived as were sent.
    private final class Receiver: DatagramReceiver {
        private(set) var media: [ByteBuffer] = []
        private(set) var reports: [ByteBuffer] = []
        private let expectedCount: Int
        private let complete: EventLoopPromise<Void>

        init(expectedCount: Int, complete: EventLoopPromise<Void>) {
            self.expectedCount = expectedCount
            self.complete = complete
        }

        func receiveDatagram(_ data: ByteBuffer, from address: SocketAddress, isRTCP: Bool) {
            if isRTCP { reports.append(data) } else { media.append(data) }
            if media.count + reports.count == expectedCount { complete.succeed() }
        }

        func datagramsReceived() {}

        func promptTime(now: NIODeadline) -> NIODeadline? { now }
    }

    private static func bind(
        on loop: any EventLoop, expectedCount: Int = 0, complete: EventLoopPromise<Void>
    ) async throws -> (sockets: UDPTrackSockets, receiver: NIOLoopBound<Receiver>) {
        let anywhere = try SocketAddress(ipAddress: "127.0.0.1", port: 9)
        return try await loop.flatSubmit {
            let receiver = NIOLoopBound(Receiver(expectedCount: expectedCount, complete: complete), eventLoop: loop)
            let request = UDPTrackSockets.Request(
                eventLoop: loop,
                borrower: UDPPortAllocator.Borrower(
                    purpose: .publishing, group: AddressGroup(anywhere), connection: ObjectIdentifier(loop)),
                localHost: "127.0.0.1", remoteRTP: anywhere, remoteRTCP: anywhere,
                receiveBufferByteCount: RTSPServerLimits().udpReceiveBufferByteCount,
                receiver: NIOLoopBound(receiver.value, eventLoop: loop))
            return UDPTrackSockets.bind(request, ports: UDPPortAllocator(range: 22_000...22_499), attemptCount: 64)
                .map { ($0, receiver) }
        }.get()
    }

    /// A server has two sockets for each track of each publisher, and each socket keeps up to four buffers.
    @Test func readBuffersAreNoLargerThanTheirDatagramsNeed() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let complete = loop.makePromise(of: Void.self)
        complete.succeed()
        let (sockets, _) = try await Self.bind(on: loop, complete: complete)
        defer { sockets.close() }
        let allocator = ByteBufferAllocator()
        let media = try await sockets.rtp.getOption(.recvAllocator).get().buffer(allocator: allocator)
        let messageCount = try await sockets.rtp.getOption(.datagramVectorReadMessageCount).get()
        #expect(media.capacity == 64 << 10)
        // NIO divides the buffer evenly; jumbo frames have 9,000 bytes.
        #expect(messageCount > 1 && media.capacity / messageCount >= 9_000)
        let reports = try await sockets.rtcp.getOption(.recvAllocator).get().buffer(allocator: allocator)
        #expect(reports.capacity == 2 << 10)
        #expect(try await sockets.rtcp.getOption(.datagramVectorReadMessageCount).get() == 0)
    }

    @Test func aKeyFramesBurstALargeDatagramAndAReportArriveWhole() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let complete = loop.makePromise(of: Void.self)
        let packets =
            (0..<64).map { ByteBuffer(repeating: UInt8($0), count: 1_400) }
            + [ByteBuffer(repeating: 65, count: 8_972)]
        let report = ByteBuffer(repeating: 66, count: 1_472)
        let (sockets, receiver) = try await Self.bind(
            on: loop, expectedCount: packets.count + 1, complete: complete)
        defer { sockets.close() }
        let sender = try await DatagramBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let rtp = try SocketAddress(ipAddress: "127.0.0.1", port: Int(sockets.rtpPort))
        let rtcp = try SocketAddress(ipAddress: "127.0.0.1", port: Int(sockets.rtcpPort))
        // All datagrams wait in the socket before the loop reads any.
        try await loop.submit {
            for packet in packets {
                sender.write(AddressedEnvelope(remoteAddress: rtp, data: packet), promise: nil)
            }
            sender.writeAndFlush(AddressedEnvelope(remoteAddress: rtcp, data: report), promise: nil)
        }.get()
        try await complete.futureResult.get()
        try await loop.submit {
            #expect(receiver.value.media == packets)
            #expect(receiver.value.reports == [report])
        }.get()
        try await sender.close()
    }
}
