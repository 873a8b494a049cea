package import ChannelPublishing
import LiveChannels
import NIOCore

/// Fetches a channel by RTSP, from a camera or another server.
package struct RTSPPull: RelayTransport {
    private let address: RelayAddress
    private let channel: LiveChannel
    private let usesUDP: Bool
    private let environment: RTSPServerEnvironment

    init(_ address: RelayAddress, of channel: LiveChannel, usesUDP: Bool, _ environment: RTSPServerEnvironment) {
        (self.address, self.channel, self.usesUDP) = (address, channel, usesUDP)
        self.environment = environment
    }

    package func run(_ progress: RelayProgress) async throws {
        let loop = environment.eventLoopGroup.next()
        let (channel, address, usesUDP, environment) = (channel, address, usesUDP, environment)
        try await ClientConnection(address, on: loop).run { connection, ended in
            try connection.pipeline.syncOperations.addHandler(
                RTSPPullHandler(
                    address, of: channel, usesUDP: usesUDP, environment, progress, connection, ended: ended))
        }
    }
}
