import NIOCore
import RTPTransport
import RTSPProtocol

/// The way of a session's media to the server: the RTSP connection and, for UDP, two sockets for each track. Belongs to
/// its event loop. A class, because writing may close the connection, whose owner then releases this object.
final class PushMediaPath {
    let channel: any Channel
    /// The sockets of tracks that use UDP; empty for TCP.
    private(set) var sockets: [PushSockets] = []
    private var destinations: [Destination] = []

    /// The destination of a track's packets.
    private enum Destination {
        case interleaved(RTSPChannelPair)
        case datagrams(PushSockets, PushSockets.Target)
        /// The server has not said where.
        case nowhere
    }

    init(channel: any Channel) { self.channel = channel }

    /// Adds the sockets of the next track.
    func add(_ sockets: PushSockets) { self.sockets.append(sockets) }

    /// Adopts the server's choice of transport for each track.
    func open(_ transports: [RTSPTransport]) {
        destinations = transports.enumerated().map { index, transport in
            if sockets.isEmpty { return transport.interleavedChannels.map { .interleaved($0) } ?? .nowhere }
            guard index < sockets.count, let host = channel.remoteAddress, let ports = transport.serverPorts else {
                return .nowhere
            }
            return .datagrams(sockets[index], PushSockets.Target(host: host, ports: ports))
        }
    }

    /// True if more media is accepted; what is sent anyway is buffered.
    var isWritable: Bool { channel.isWritable && sockets.allSatisfy(\.isWritable) }

    /// Sends packets at the next ``flush()``; reports over UDP are sent at once.
    func send(_ batch: RTPPacketBatch, track index: Int, isReport: Bool) {
        guard index < destinations.count else { return }
        switch destinations[index] {
        case .interleaved(let channels):
            channel.write(batch.framed(channel: isReport ? channels.rtcp : channels.rtp), promise: nil)
        case .datagrams(let sockets, let target):
            if isReport {
                sockets.sendReports(batch.packets, to: target)
            } else {
                sockets.send(batch.packets, to: target)
            }
        case .nowhere: break
        }
    }

    func flush() {
        channel.flush()
        for pair in sockets { pair.flush() }
    }

    func close() {
        channel.close(promise: nil)
        for pair in sockets { pair.close() }
    }
}
