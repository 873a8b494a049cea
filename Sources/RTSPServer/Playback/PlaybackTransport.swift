/// Transport of a track's packets to the reader.
enum PlaybackTransport: Hashable, Sendable {
    /// Channel numbers on the RTSP connection.
    case interleaved(rtp: UInt8, rtcp: UInt8)
    case udp
}
