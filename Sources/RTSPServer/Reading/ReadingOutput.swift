import NIOCore

/// Output of a playback session to its peer. Confined to the connection's event loop. It does not refer to the
/// session, which holds it.
///
/// ``flush()`` may call back into the session, because the connection has become writable or has ended.
protocol ReadingOutput: AnyObject {
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
    func readingEnded(_ reason: ReadingEndReason)
}

/// The reason why a playback session ended by itself.
enum ReadingEndReason: Hashable, Sendable {
    /// Nobody publishes to the channel any more. A player that reconnects gets the next push with its own
    /// description.
    case publisherLeft
    /// The following media does not match the description.
    case codecChanged
    case tooSlow
    case endOfTitle
    case fileUnreadable(String)

    /// Human-readable reason, for the log.
    var explained: String {
        switch self {
        case .publisherLeft: "the push has ended"
        case .codecChanged: "the publisher has changed its codec"
        case .tooSlow: "the reader did not keep up"
        case .endOfTitle: "the title has ended"
        case .fileUnreadable(let error): error
        }
    }
}

/// Transport of a track's packets to the reader.
enum ReadingTransport: Hashable, Sendable {
    /// Channel numbers on the RTSP connection.
    case interleaved(rtp: UInt8, rtcp: UInt8)
    case udp
}

/// The reason why a PLAY request cannot be carried out.
enum ReadingError: Error, Hashable {
    /// The push that was described has ended.
    case gone
    /// No track is set up.
    case nothingSetUp
    /// The range is not within the title; the status is 457 (RFC 2326 §11.3.8).
    case invalidRange
}
