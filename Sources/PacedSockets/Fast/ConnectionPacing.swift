import Glibc
package import NIOCore
import Packaging

/// Reads a publisher's connection at ticks while nobody needs its packets immediately. Confined to its event loop.
///
/// The selector stays asked for data, but the kernel reports only so much of it that the peer would soon have to wait
/// (SO_RCVLOWAT of socket(7)), and the end of the connection. What has arrived at a tick is read past the selector and
/// passed to the head of the pipeline, as if the channel had read it.
package final class ConnectionPacing: PacedSocket {
    /// Unread bytes that the kernel reports between ticks; it makes the receive buffer as large as that takes. 6 Mbit/s
    /// reach it between two ticks.
    package static let lowWaterByteCount = 192 << 10

    private let channel: any Channel
    private let descriptor: SocketDescriptor
    private let pacing: PublisherPacing
    private let settledAt: NIODeadline
    /// Weak, because the connection owns this object.
    private weak var connection: (any PacedConnection)?
    private var reads: PacedReads?

    /// - Parameters:
    ///   - channel: the connection's channel.
    ///   - connection: handles what is read.
    ///   - pacing: the ticks of the publisher.
    ///   - settlingTime: time for which the connection is read as data arrives in any case.
    /// - Returns: `nil` if the channel has no socket.
    package init?(
        _ channel: any Channel, connection: any PacedConnection, pacing: PublisherPacing, settlingTime: Duration
    ) {
        guard let descriptor = SocketDescriptor(channel) else { return nil }
        self.channel = channel
        self.descriptor = descriptor
        self.connection = connection
        self.pacing = pacing
        settledAt = channel.eventLoop.now + TimeAmount(settlingTime)
        reads = PacedReads(socket: self, eventLoop: channel.eventLoop)
    }

    /// Decides again, after data that the selector reported has been handled.
    package func handled() { reads?.handled() }

    /// Ends the pacing for good.
    package func close() {
        reads?.close()
        reads = nil
    }

    // MARK: PacedSocket

    package func ticks(now: NIODeadline) -> ReceptionTicks? { now < settledAt ? nil : pacing.ticks.first }

    package func promptTime(now: NIODeadline) -> NIODeadline? {
        guard let connection else { return now }
        return connection.promptTime(now: now)
    }

    package func beginPacing() { setLowWater(Self.lowWaterByteCount) }

    package func endPacing() { setLowWater(1) }

    package func readArrived() {
        guard let connection, connection.takesMedia, let descriptor = descriptor.usable else { return }
        let pipeline = channel.pipeline.syncOperations
        do {
            let buffer = try pacing.scratch.readStream(descriptor, allocator: channel.allocator)
            guard buffer.readableBytes > 0 else { return }
            pipeline.fireChannelRead(NIOAny(buffer))
            pipeline.fireChannelReadComplete()
        } catch {
            pipeline.fireErrorCaught(error)
        }
    }

    private func setLowWater(_ byteCount: Int) {
        guard descriptor.usable != nil else { return }
        // Without it the selector reports each packet, which costs more but works.
        try? channel.syncOptions?.setOption(.socketOption(.init(rawValue: SO_RCVLOWAT)), value: byteCount)
    }
}
