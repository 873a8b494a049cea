import NIOCore

/// The way from a reading session to its peer. Confined to the connection's event loop. Does not refer to the session,
/// which holds it.
///
/// ``flush()`` may call back into the session: the connection is writable again, or has ended.
protocol ReadingOutput: AnyObject {
    /// The connection takes more without holding more than its own limit. Asked for each packet batch of each reader.
    var isWritable: Bool { get }
    /// Whole framed packets (RFC 2326 §10.12); not flushed.
    func writeInterleaved(_ frames: ByteBuffer)
    /// One packet without framing, from the track's RTP or RTCP socket; not flushed.
    func writeDatagram(_ packet: ByteBuffer, trackIndex: Int, isRTCP: Bool)
    func flush()
    /// Pictures and sounds were left out, because the reader was too slow.
    func dropped(unitCount: Int)
    /// The session ended by itself and has said goodbye; the connection may close once that is sent.
    func readingEnded(_ reason: ReadingEndReason)
}

/// Why a reading session ended by itself.
enum ReadingEndReason: Hashable, Sendable {
    /// Nobody pushes to the channel any more. A player that comes back finds the next push with its own description.
    case publisherLeft
    /// What follows is not what the description said.
    case codecChanged
    case tooSlow
    case endOfTitle
    case fileUnreadable(String)

    /// For the log.
    var explained: String {
        switch self {
        case .publisherLeft: "the push has ended"
        case .codecChanged: "the publisher has changed its codec"
        case .tooSlow: "the reader did not keep up"
        case .endOfTitle: "the title is over"
        case .fileUnreadable(let error): error
        }
    }
}

/// How a track's packets get to the reader.
enum ReadingTransport: Hashable, Sendable {
    /// Channel numbers of the connection.
    case interleaved(rtp: UInt8, rtcp: UInt8)
    case udp
}

/// Why a PLAY cannot be carried out.
enum ReadingError: Error, Hashable {
    /// The push that was described is over.
    case gone
    /// No track is set up.
    case nothingSetUp
    /// RFC 2326 §11.3.8, 457: the title is not that long.
    case invalidRange
}
