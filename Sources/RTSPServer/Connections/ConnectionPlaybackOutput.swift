import NIOCore

/// Output for a reader's packets: the connection, or a pair of sockets for each track.
final class ConnectionPlaybackOutput: PlaybackOutput {
    /// The owner of this object; released by ``close()``. Not weak, because each packet batch of each reader passes
    /// through here.
    private var connection: RTSPConnectionHandler?
    /// Whether the connection is writable, updated by the connection: asking the channel for each batch took an
    /// eighth of the CPU time of playback.
    var isWritable: Bool
    /// Sockets of tracks, keyed by position in the description.
    private var sockets: [Int: UDPTrackSockets] = [:]
    private var socketsToFlush: Set<Int> = []

    init(connection: RTSPConnectionHandler) {
        self.connection = connection
        isWritable = connection.context?.channel.isWritable == true
    }

    var usesUDP: Bool { !sockets.isEmpty }

    /// Sets the sockets of a track; closes those that it had.
    func setUp(_ trackIndex: Int, _ sockets: UDPTrackSockets?) {
        self.sockets[trackIndex]?.close()
        self.sockets[trackIndex] = sockets
    }

    /// Closes the sockets and releases the connection; nothing is sent any more.
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

    func playbackEnded(_ reason: PlaybackEndReason) { connection?.playbackEnded(reason) }
}
