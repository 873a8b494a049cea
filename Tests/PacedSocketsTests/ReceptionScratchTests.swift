import Glibc
import NIOCore
import NIOPosix
import Packaging
import Testing

@testable import PacedSockets

/// Sockets that are read past the selector.
@Suite(.timeLimit(.minutes(1)))
struct ReceptionScratchTests {
    private struct Datagram: Equatable {
        var data: ByteBuffer
        var sender: SocketAddress
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func datagramsComeInOrderWithTheirSenders(host: String) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let bootstrap = DatagramBootstrap(group: loop).channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 2 << 20)
        let receiver = try await bootstrap.bind(host: host, port: 0).get()
        let senders = [
            try await bootstrap.bind(host: host, port: 0).get(), try await bootstrap.bind(host: host, port: 0).get(),
        ]
        let target = try #require(receiver.localAddress)
        var sent: [Datagram] = []
        for number in 0..<70 {
            let sender = senders[number % 7 == 0 ? 1 : 0]
            let data = ByteBuffer(repeating: UInt8(number), count: number == 33 ? 8_972 : 20 * number)
            try await sender.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: data))
            sent.append(Datagram(data: data, sender: try #require(sender.localAddress)))
        }
        let received = try await loop.submit { () -> [Datagram] in
            let descriptor = try #require(SocketDescriptor(receiver)?.usable)
            let scratch = ReceptionScratch()
            var received: [Datagram] = []
            for _ in 0..<2 {
                scratch.readDatagrams(descriptor, allocator: receiver.allocator) { data, sender in
                    received.append(Datagram(data: data, sender: sender))
                }
            }
            return received
        }.get()
        #expect(received == sent)
        for channel in senders + [receiver] { try await channel.close() }
        try await loop.submit { #expect(SocketDescriptor(receiver)?.usable == nil, "its number may be another one's") }
            .get()
    }

    /// One publisher that sends faster than it is read does not hold up the others.
    @Test func aTurnHasALimit() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let receiver = try await DatagramBootstrap(group: loop).channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 2 << 20).bind(host: "127.0.0.1", port: 0).get()
        let sender = try await DatagramBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let target = try #require(receiver.localAddress)
        for _ in 0..<300 {
            try await sender.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: ByteBuffer(string: "x")))
        }
        let counts = try await loop.submit { () -> [Int] in
            let descriptor = try #require(SocketDescriptor(receiver)?.usable)
            let scratch = ReceptionScratch()
            return (0..<3).map { _ in
                var count = 0
                scratch.readDatagrams(descriptor, allocator: receiver.allocator) { _, _ in count += 1 }
                return count
            }
        }.get()
        #expect(counts == [256, 44, 0])
        try await sender.close()
        try await receiver.close()
    }

    @Test func aStreamIsReadToWhatHasArrived() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let scratch = ReceptionScratch()
        let allocator = ByteBufferAllocator()
        #expect(try scratch.readStream(ends[0], allocator: allocator).readableBytes == 0)
        #expect(write(ends[1], "hello", 5) == 5)
        #expect(try scratch.readStream(ends[0], allocator: allocator) == ByteBuffer(string: "hello"))
        close(ends[1])
        #expect(try scratch.readStream(ends[0], allocator: allocator).readableBytes == 0)
        close(ends[0])
        #expect(throws: IOError.self) { try scratch.readStream(ends[0], allocator: allocator) }
    }
}
