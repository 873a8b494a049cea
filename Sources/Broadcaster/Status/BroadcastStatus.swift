public import LibAV

/// How a broadcast stands, once a second.
public struct BroadcastStatus: Hashable, Sendable {
    /// What the broadcast is at.
    public enum State: String, Hashable, Sendable {
        case opening
        case connecting
        /// The server takes media.
        case live
        /// Between two attempts; the capture goes on.
        case waiting
        case ended
    }

    /// What it is at now.
    public var state: State
    /// What keeps it from being live; `nil` where nothing does.
    public var problem: String?
    /// Seconds since the start of the broadcast.
    public var elapsed: Double
    /// Seconds since the server has taken media without a break; `nil` while it does not.
    public var liveSeconds: Double?
    /// What is captured, and what becomes of it; `nil` before the source is open.
    public var summary: BroadcastSummary?
    /// Since the start.
    public var capture: BroadcastCaptureStatistics
    /// Pictures handed to the line, since the start.
    public var sentPictureCount: Int
    /// Pictures that had to be dropped: for want of a connection, or of room on it.
    public var droppedPictureCount: Int
    /// With RTP's headers and framing, since the start.
    public var sentByteCount: Int
    /// How often the server has begun to take media.
    public var connectionCount: Int
    /// Pictures a second, over the last seconds.
    public var frameRate: Double
    /// Bits a second on the line, over the last seconds.
    public var bitRate: Double
    /// What is asked of the encoder of pictures at the moment, bits a second.
    public var videoBitRate: Int
    /// What the preset asks of the pictures, bits a second.
    public var presetVideoBitRate: Int
    /// What the preset asks of the sound, bits a second.
    public var presetAudioBitRate: Int
    /// Seconds; `nil` before it has been measured.
    public var roundTrip: Double?
    /// Seconds of media that wait for the line.
    public var waitingSeconds: Double
    /// RTP packets that the server has reported lost, since the start.
    public var lostPacketCount: Int
    /// What the server says that it receives; `nil` where it does not say.
    public var received: ReceivedMedia?

    /// The uplink does not carry the preset.
    public var isReduced: Bool { videoBitRate < presetVideoBitRate }
}

/// A push as its server sees it.
public struct ReceivedMedia: Hashable, Sendable, Codable {
    /// Of the pictures; `nil` before the server has seen one.
    public var width: Int?
    /// Of the pictures; `nil` before the server has seen one.
    public var height: Int?
    /// Pictures a second.
    public var frameRate: Double?
    /// Bits a second of all tracks.
    public var bitRate: Int
    /// Who watches at the moment.
    public var viewers: Int
    /// RTP packets, since the push began.
    public var lostPackets: Int
}
