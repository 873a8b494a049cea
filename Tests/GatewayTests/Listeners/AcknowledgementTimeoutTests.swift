import Glibc
import HTTPEndpoints
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// A client whose network is gone, or that takes nothing, does not keep its connection.
@Suite(.timeLimit(.minutes(1))) struct AcknowledgementTimeoutTests {
    /// The server's time for a client to acknowledge what it was sent, in milliseconds.
    ///
    /// - Parameter client: the client's side of the connection; the server's is in this process, too.
    /// - Returns: the values of all sockets of the connection.
    static func timeouts(ofServerOf client: any Channel) throws -> [CInt] {
        let port = try #require(client.localAddress?.port)
        return (0..<CInt(clamping: sysconf(CInt(_SC_OPEN_MAX)))).compactMap { socket in
            var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            let isConnected = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) == 0 }
            }
            guard isConnected, address.sin_family == sa_family_t(AF_INET), Int(address.sin_port.bigEndian) == port
            else { return nil }
            var (value, size) = (CInt(-1), socklen_t(MemoryLayout<CInt>.size))
            return getsockopt(socket, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &value, &size) == 0 ? value : nil
        }
    }

    /// The client's window stays shut, so what is sent to it is never acknowledged.
    @Test func theSystemClosesTheConnectionOfAClientThatAcknowledgesNothing() async throws {
        let (accepted, continuation) = AsyncStream.makeStream(of: (any Channel).self)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                continuation.yield(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: try #require(server.localAddress?.port)).get()
        var channels = accepted.makeAsyncIterator()
        let channel = try #require(await channels.next())
        #expect(try Self.timeouts(ofServerOf: client) == [0])
        await AcknowledgementTimeout.set(on: channel, .seconds(1))
        #expect(try Self.timeouts(ofServerOf: client) == [1_000])
        channel.writeAndFlush(ByteBuffer(repeating: 0, count: 64 << 20), promise: nil)
        try await eventually("the connection is closed", within: 40) { channel.isActive ? nil : () }
        try? await client.close()
        try await server.close()
    }
}
