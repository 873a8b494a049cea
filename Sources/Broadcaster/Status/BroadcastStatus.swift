package import LibAV

/// How a broadcast stands, once a second.
package struct BroadcastStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case opening
        case connecting
        /// The server takes media.
        case live
        /// Between two attempts; the capture goes on.
        case waiting
        case ended
    }

    package var state: State
    /// What keeps it from being live; `nil` where nothing does.
    package var problem: String?
    /// Seconds since the start of the broadcast, and since the server has taken media without a break.
    package var elapsed: Double
    package var liveSeconds: Double?
    package var summary: BroadcastSummary?
    /// Since the start.
    package var capture: BroadcastCaptureStatistics
    package var sentPictureCount: Int
    /// Pictures that had to be dropped: for want of a connection, or of room on it.
    package var droppedPictureCount: Int
    package var sentByteCount: Int
    package var connectionCount: Int
    /// Pictures a second, and bits a second on the line, over the last seconds.
    package var frameRate: Double
    package var bitRate: Double
    /// What is asked of the encoder at the moment, and what the preset asks.
    package var videoBitRate: Int
    package var presetVideoBitRate: Int
    package var presetAudioBitRate: Int
    /// Seconds; `nil` before it has been measured.
    package var roundTrip: Double?
    /// Seconds of media that wait for the line.
    package var waitingSeconds: Double
    package var lostPacketCount: Int
    /// What the server says that it receives; `nil` where it does not say.
    package var received: ReceivedMedia?

    /// The uplink does not carry the preset.
    package var isReduced: Bool { videoBitRate < presetVideoBitRate }
}

/// A push as its server sees it.
package struct ReceivedMedia: Hashable, Sendable, Codable {
    package var width: Int?
    package var height: Int?
    /// Pictures a second.
    package var frameRate: Double?
    /// Bits a second of all tracks.
    package var bitRate: Int
    package var viewers: Int
    package var lostPackets: Int
}
