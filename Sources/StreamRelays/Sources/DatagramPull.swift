import ChannelPublishing
import LiveChannels
import MediaCore
import NIOCore
import NIOPosix

/// Fetches a channel that is sent as a transport stream by UDP or RTP, to this machine or to a group.
struct DatagramPull: RelayTransport {
    private static let receiveBufferByteCount = 2 << 20

    let address: RelayAddress
    let channel: LiveChannel
    let eventLoopGroup: any EventLoopGroup

    func run(_ progress: RelayProgress) async throws {
        let loop = eventLoopGroup.next()
        let ended = loop.makePromise(of: Void.self)
        let (channel, address) = (channel, address)
        let target: SocketAddress
        let socket: any Channel
        do {
            target = try await HostLookup.address(of: address.host, port: address.port)
            // Several programs of a machine may listen to a group.
            socket = try await DatagramBootstrap(group: loop)
                .channelOption(.socketOption(.so_reuseaddr), value: target.isMulticast ? 1 : 0)
                .channelOption(.socketOption(.so_rcvbuf), value: .init(Self.receiveBufferByteCount))
                .channelInitializer { socket in
                    socket.eventLoop.makeCompletedFuture {
                        try socket.pipeline.syncOperations.addHandler(
                            DatagramPullHandler(channel, address, progress, on: socket.eventLoop, ended: ended))
                    }
                }
                .bind(to: target).get()
            if target.isMulticast, let group = socket as? any MulticastChannel {
                try await group.joinGroup(target).get()
            }
        } catch {
            ended.fail(error)
            throw RelayFailure("\(address.endpoint) cannot be received: \(error)")
        }
        do {
            try await withTaskCancellationHandler {
                try await ended.futureResult.get()
            } onCancel: {
                socket.pipeline.fireUserInboundEventTriggered(ClientConnectionStop())
            }
        } catch {
            socket.close(promise: nil)
            throw error
        }
    }
}
