package import ChannelPublishing
package import LiveChannels
package import NIOCore
import RTMPProtocol

/// Fetches a channel by RTMP from another server, or copies it to one.
package struct RTMPRelay: RelayTransport {
    private let address: RelayAddress
    private let channel: LiveChannel
    private let isSource: Bool
    private let eventLoopGroup: any EventLoopGroup

    /// - Parameters:
    ///   - address: the other server.
    ///   - channel: the channel.
    ///   - isSource: whether the channel is fetched.
    ///   - eventLoopGroup: the event loops.
    package init(
        _ address: RelayAddress, of channel: LiveChannel, isSource: Bool, on eventLoopGroup: any EventLoopGroup
    ) {
        (self.address, self.channel, self.isSource) = (address, channel, isSource)
        self.eventLoopGroup = eventLoopGroup
    }

    package func run(_ progress: RelayProgress) async throws {
        let loop = eventLoopGroup.next()
        let (channel, address, isSource) = (channel, address, isSource)
        try await ClientConnection(address, on: loop).run { connection, ended in
            try connection.pipeline.syncOperations.addHandler(
                RTMPClientHandler(
                    isSource ? .playing : .publishing, of: channel, address, progress, on: loop, ended: ended))
        }
    }
}
