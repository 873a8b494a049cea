/// Where one track's packets begin after PLAY (RFC 2326 §12.33).
package struct RTPStreamInfo: Hashable, Sendable {
    /// Position among the presentation's media descriptions.
    package var trackIndex: Int
    /// Of the first packet that the PLAY leads to; `nil` where that is not known yet.
    package var sequenceNumber: UInt16?
    /// What the range's start corresponds to.
    package var rtpTimestamp: UInt32?

    package init(trackIndex: Int, sequenceNumber: UInt16? = nil, rtpTimestamp: UInt32? = nil) {
        self.trackIndex = trackIndex
        self.sequenceNumber = sequenceNumber
        self.rtpTimestamp = rtpTimestamp
    }

    /// - Parameter uri: as the client's SETUP named the track: ffmpeg compares the texts.
    func rendered(uri: String) -> String {
        "url=\(uri)" + (sequenceNumber.map { ";seq=\($0)" } ?? "") + (rtpTimestamp.map { ";rtptime=\($0)" } ?? "")
    }
}
