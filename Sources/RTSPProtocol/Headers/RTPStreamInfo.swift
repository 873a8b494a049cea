/// The start of a track's packets after PLAY, for the RTP-Info header (RFC 2326 §12.33).
package struct RTPStreamInfo: Hashable, Sendable {
    /// Index of the track among the presentation's media descriptions.
    package var trackIndex: Int
    /// Sequence number of the first packet after the PLAY; `nil` if it is not known yet.
    package var sequenceNumber: UInt16?
    /// RTP timestamp that corresponds to the start of the range; `nil` if it is not known yet.
    package var rtpTimestamp: UInt32?

    package init(trackIndex: Int, sequenceNumber: UInt16? = nil, rtpTimestamp: UInt32? = nil) {
        self.trackIndex = trackIndex
        self.sequenceNumber = sequenceNumber
        self.rtpTimestamp = rtpTimestamp
    }

    /// - Parameter uri: the track's URL exactly as in the client's SETUP, because ffmpeg compares the texts.
    func rendered(uri: String) -> String {
        "url=\(uri)" + (sequenceNumber.map { ";seq=\($0)" } ?? "") + (rtpTimestamp.map { ";rtptime=\($0)" } ?? "")
    }
}
