import NIOCore

/// Output of a playback session to its peer. Confined to the connection's event loop. It does not refer to the
/// session, which holds it.
///
/// ``flush()`` may call back into the session, because the connection has become writable or has ended.
protocol PlaybackOutput: AnyObject {
    /// Whether the connection accepts more data within its own limit. Called for each packet batch of each reader.
    var isWritable: Bool { get }
    /// Writes whole framed packets (RFC 2326 §10.12); the caller flushes.
    func writeInterleaved(_ frames: ByteBuffer)
    /// Writes one packet without framing from the track's RTP or RTCP socket; the caller flushes.
    func writeDatagram(_ packet: ByteBuffer, trackIndex: Int, isRTCP: Bool)
    func flush()
    /// Reports that frames were dropped because the reader was too slow.
    func dropped(unitCount: Int)
    /// Reports that the session has ended by itself and has sent a goodbye; the connection may close once it has been
    /// sent.
    func playbackEnded(_ reason: PlaybackEndReason)
}
