/// The source of a broadcaster's video and audio.
public enum BroadcastSource: Hashable, Sendable {
    /// Devices, captured live; `nil` for a track that is not wanted.
    case devices(picture: PictureDevice?, sound: SoundDevice?)
    /// A file, sent at its own pace, once or repeatedly.
    case file(path: String, isRepeated: Bool)
    /// A file or stream that another program writes to standard input, in any format that can be read without seeking,
    /// sent at its own pace.
    case standardInput

    /// The source of video.
    public enum PictureDevice: Hashable, Sendable {
        /// A camera.
        case camera(CaptureDevice)
        /// A screen.
        case screen(CaptureDevice)
        /// A moving test card with a title and a clock.
        case testCard(title: String)
    }

    /// The source of audio.
    public enum SoundDevice: Hashable, Sendable {
        /// A microphone.
        case microphone(CaptureDevice)
        /// A test tone that pauses briefly each second.
        case testTone
    }
}

/// A device of libavdevice, identified by a format and the name that the format uses: `v4l2` and `/dev/video0`.
public struct CaptureDevice: Hashable, Sendable {
    /// libavdevice's format, such as `v4l2`.
    public var format: String
    /// The device's name within the format, such as `/dev/video0`.
    public var name: String

    /// Creates a device from libavdevice's names.
    public init(format: String, name: String) {
        self.format = format
        self.name = name
    }

    /// The formats of libavdevice that users may name.
    static let formats: Set<String> = [
        "alsa", "fbdev", "jack", "kmsgrab", "lavfi", "openal", "oss", "pulse", "sndio", "v4l2", "x11grab", "xcbgrab",
    ]

    /// Parses `FORMAT:NAME`, or a name in the default format of its kind.
    ///
    /// - Parameter usual: The format of a bare name.
    public init(parsing text: String, usual: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        if parts.count == 2, Self.formats.contains(String(parts[0])) {
            self.init(format: String(parts[0]), name: String(parts[1]))
        } else {
            self.init(format: usual, name: text)
        }
    }
}

/// The encoding of a broadcaster's video and audio, as a preset prescribes it.
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
