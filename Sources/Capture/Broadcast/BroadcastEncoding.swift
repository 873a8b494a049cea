/// The encoding of a broadcaster's video and audio: the limits that a preset prescribes, and the encoder that keeps
/// them.
///
/// Programs that embed the broadcaster set it without a server or its presets.
public struct BroadcastEncoding: Hashable, Sendable {
    /// The maximum width in pixels; a source keeps its aspect ratio, and is never enlarged.
    public var width: Int
    /// The maximum height in pixels.
    public var height: Int
    /// The maximum number of frames per second.
    public var frameRate: Double
    /// The video bit rate in bits per second, which is also the limit for any single second.
    public var videoBitRate: Int
    /// The audio bit rate in bits per second.
    public var audioBitRate: Int
    /// libav's name of an H.264 encoder.
    public var encoderName = "libx264"
    /// libx264's preset, such as `veryfast`; other encoders ignore it.
    public var encoderSpeed = "veryfast"

    /// Creates an encoding by libx264.
    public init(width: Int, height: Int, frameRate: Double, videoBitRate: Int, audioBitRate: Int) {
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.videoBitRate = videoBitRate
        self.audioBitRate = audioBitRate
    }

    /// The distance between key frames, in seconds.
    public static let keyFrameIntervalSeconds = 2
}
