/// Where a broadcaster's pictures and sound come from.
public enum BroadcastSource: Hashable, Sendable {
    /// What happens now.
    case devices(picture: PictureDevice?, sound: SoundDevice?)
    /// At its own pace, once or again and again.
    case file(path: String, isRepeated: Bool)
    /// A file or stream that another program writes, in any format that need not be sought, at its own pace.
    case standardInput

    /// What gives pictures.
    public enum PictureDevice: Hashable, Sendable {
        case camera(CaptureDevice)
        case screen(CaptureDevice)
        /// Moving pictures with a title and a clock.
        case testCard(title: String)
    }

    /// What gives sound.
    public enum SoundDevice: Hashable, Sendable {
        case microphone(CaptureDevice)
        /// A tone that stops for a moment each second.
        case testTone
    }
}

/// One of libavdevice's, as its format and the name that the format knows it by: `v4l2` and `/dev/video0`.
public struct CaptureDevice: Hashable, Sendable {
    /// As `v4l2`.
    public var format: String
    /// As `/dev/video0`.
    public var name: String

    /// Names are libavdevice's.
    public init(format: String, name: String) {
        self.format = format
        self.name = name
    }

    /// libavdevice's formats that may be named.
    static let formats: Set<String> = [
        "alsa", "fbdev", "jack", "kmsgrab", "lavfi", "openal", "oss", "pulse", "sndio", "v4l2", "x11grab", "xcbgrab",
    ]

    /// `FORMAT:NAME`, or a name in the usual format of its kind.
    ///
    /// - Parameter usual: the format that a bare name is for.
    public init(parsing text: String, usual: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        if parts.count == 2, Self.formats.contains(String(parts[0])) {
            self.init(format: String(parts[0]), name: String(parts[1]))
        } else {
            self.init(format: usual, name: text)
        }
    }
}

/// How a broadcaster's pictures and sound are encoded: what a preset promises.
public struct BroadcastEncoding: Hashable, Sendable {
    /// Pixels at most; a source keeps its shape, and is never enlarged.
    public var width: Int
    /// Pixels at most.
    public var height: Int
    /// Pictures a second at most.
    public var frameRate: Double
    /// Bits a second, which are also the most that go out in any second.
    public var videoBitRate: Int
    /// Bits a second.
    public var audioBitRate: Int
    /// libav's name of an H.264 encoder.
    public var encoderName = "libx264"
    /// How much work libx264 puts into a picture; nothing to other encoders.
    public var encoderSpeed = "veryfast"

    /// Encoded by libx264.
    public init(width: Int, height: Int, frameRate: Double, videoBitRate: Int, audioBitRate: Int) {
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.videoBitRate = videoBitRate
        self.audioBitRate = audioBitRate
    }

    /// Seconds between two key frames.
    public static let keyFrameIntervalSeconds = 2
}
