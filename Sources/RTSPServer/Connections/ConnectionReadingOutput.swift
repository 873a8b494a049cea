import NIOCore

/// The way of a reader's packets out: into its connection, or through a pair of sockets for each track.
final class ConnectionReadingOutput: ReadingOutput {
    /// Weak: the connection owns us.
    private weak var connection: RTSPConnectionHandler?
    /// By position in the description.
    private var sockets: [Int: UDPTrackSockets] = [:]
    private var socketsToFlush: Set<Int> = []

    init(connection: RTSPConnectionHandler) { self.connection = connection }

    var usesUDP: Bool { !sockets.isEmpty }

    /// Takes the place of those that the track had.
    func setUp(_ trackIndex: Int, _ sockets: UDPTrackSockets?) {
        self.sockets[trackIndex]?.close()
        self.sockets[trackIndex] = sockets
    }

    func close() {
        for sockets in sockets.values { sockets.close() }
        sockets = [:]
    }

    var isWritable: Bool { connection?.context?.channel.isWritable == true }

    func writeInterleaved(_ frames: ByteBuffer) { connection?.write(frames) }

    func writeDatagram(_ packet: ByteBuffer, trackIndex: Int, isRTCP: Bool) {
        sockets[trackIndex]?.write(packet, isRTCP: isRTCP)
        socketsToFlush.insert(trackIndex)
    }

    func flush() {
        connection?.context?.flush()
        for trackIndex in socketsToFlush { sockets[trackIndex]?.flush() }
        socketsToFlush.removeAll(keepingCapacity: true)
    }

    func readingEnded(_ reason: ReadingEndReason) { connection?.readingEnded(reason) }
}
