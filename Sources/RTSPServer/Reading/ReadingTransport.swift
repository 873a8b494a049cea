/// Transport of a track's packets to the reader.
enum ReadingTransport: Hashable, Sendable {
    /// Channel numbers on the RTSP connection.
    case interleaved(rtp: UInt8, rtcp: UInt8)
    case udp
}
