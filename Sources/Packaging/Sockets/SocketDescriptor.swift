package import NIOCore

/// The socket of a channel, for reading and writing past the selector and the pipeline. Confined to the channel's event
/// loop.
package struct SocketDescriptor {
    private let channel: any Channel
    private let descriptor: NIOBSDSocket.Handle

    /// - Returns: `nil` if the channel has no socket.
    package init?(_ channel: any Channel) {
        // Asked once, because finding it costs more than reading a packet.
        let found = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { $0 }
        guard let found else { return nil }
        self.channel = channel
        descriptor = found
    }

    /// The descriptor; `nil` once the channel has closed it.
    package var usable: NIOBSDSocket.Handle? { channel.isActive ? descriptor : nil }
}
