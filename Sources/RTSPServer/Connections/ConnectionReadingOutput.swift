import NIOCore

/// The way of a reader's packets out: into its connection, or through a pair of sockets for each track.
final class ConnectionReadingOutput: ReadingOutput {
    /// The connection owns us; ``close()`` ends it. Not weak, because every packet batch of every reader passes here.
    private var connection: RTSPConnectionHandler?
    /// The connection says when it changes: asking its channel for each batch took an eighth of the CPU of reading.
    var isWritable: Bool
    /// By position in the description.
    private var sockets: [Int: UDPTrackSockets] = [:]
    private var socketsToFlush: Set<Int> = []

    init(connection: RTSPConnectionHandler) {
        self.connection = connection
        isWritable = connection.context?.channel.isWritable == true
    }

    var usesUDP: Bool { !sockets.isEmpty }

    /// Takes the place of those that the track had.
    func setUp(_ trackIndex: Int, _ sockets: UDPTrackSockets?) {
        self.sockets[trackIndex]?.close()
        self.sockets[trackIndex] = sockets
    }

    /// Nothing is sent any more.
    func close() {
        for sockets in sockets.values { sockets.close() }
        sockets = [:]
        connection = nil
        isWritable = false
    }

    func writeInterleaved(_ frames: ByteBuffer) { connection?.write(frames) }

    func writeDatagram(_ packet: ByteBuffer, trackIndex: Int, isRTCP: Bool) {
        sockets[trackIndex]?.write(packet, isRTCP: isRTCP)
        socketsToFlush.insert(trackIndex)
    }

    func flush() {
        connection?.context?.flush()
        guard !socketsToFlush.isEmpty else { return }
        for trackIndex in socketsToFlush { sockets[trackIndex]?.flush() }
        socketsToFlush.removeAll(keepingCapacity: true)
    }

    func dropped(unitCount: Int) { connection?.environment.counters.update { $0.droppedUnitCount += unitCount } }

    func readingEnded(_ reason: ReadingEndReason) { connection?.readingEnded(reason) }
}
