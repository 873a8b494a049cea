public import Capture

/// The status of a broadcast, reported once per second.
public struct BroadcastStatus: Hashable, Sendable {
    /// The phases of a broadcast.
    public enum State: String, Hashable, Sendable {
        /// The source is being opened.
        case opening
        /// A connection is being made.
        case connecting
        /// The server accepts media.
        case live
        /// Waiting for the next attempt to connect; the capture continues.
        case waiting
        /// The broadcast has ended.
        case ended
    }

    /// The current phase.
    public var state: State
    /// The reason why the broadcast is not live; `nil` if there is none.
    public var problem: String?
    /// Seconds since the start of the broadcast.
    public var elapsed: Double
    /// Seconds for which the server has accepted media without interruption; `nil` while it does not.
    public var liveSeconds: Double?
    /// A description of the captured media and how it is sent; `nil` before the source is open.
    public var summary: BroadcastSummary?
    /// The capture's counts since the start.
    public var capture: BroadcastCaptureStatistics
    /// The number of frames sent since the start.
    public var sentFrameCount: Int
    /// The number of frames dropped because there was no connection, or not enough bandwidth.
    public var droppedFrameCount: Int
    /// The bytes sent since the start, with RTP headers and framing.
    public var sentByteCount: Int
    /// The number of connections on which the server accepted media.
    public var connectionCount: Int
    /// Frames per second, over the last seconds.
    public var frameRate: Double
    /// Bits per second sent, over the last seconds.
    public var bitRate: Double
    /// The current target of the video encoder in bits per second.
    public var videoBitRate: Int
    /// The preset's video bit rate in bits per second.
    public var presetVideoBitRate: Int
    /// The preset's audio bit rate in bits per second.
    public var presetAudioBitRate: Int
    /// The round-trip time in seconds; `nil` before it has been measured.
    public var roundTrip: Double?
    /// The backlog in seconds of media.
    public var waitingSeconds: Double
    /// The RTP packets that the server has reported lost since the start.
    public var lostPacketCount: Int
    /// The stream as the server receives it; `nil` if the server does not say.
    public var received: ReceivedMedia?

    /// True if the bit rate is reduced because the uplink does not carry the preset.
    public var isReduced: Bool { videoBitRate < presetVideoBitRate }
}

// The former names, for programs that were written for them.
extension BroadcastStatus {
    /// The former name of ``sentFrameCount``.
    @available(*, deprecated, renamed: "sentFrameCount")
    public var sentPictureCount: Int { sentFrameCount }
    /// The former name of ``droppedFrameCount``.
    @available(*, deprecated, renamed: "droppedFrameCount")
    public var droppedPictureCount: Int { droppedFrameCount }
}
