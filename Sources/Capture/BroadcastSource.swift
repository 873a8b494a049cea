/// The source of a broadcaster's video and audio.
public enum BroadcastSource: Hashable, Sendable {
    /// Devices, captured live; `nil` for a track that is not wanted.
    case devices(video: VideoDevice?, audio: AudioDevice?)
    /// A file, sent at its own pace, once or repeatedly.
    case file(path: String, isRepeated: Bool)
    /// A file or stream that another program writes to standard input, in any format that can be read without seeking,
    /// sent at its own pace.
    case standardInput

    /// The source of video.
    public enum VideoDevice: Hashable, Sendable {
        /// A camera.
        case camera(CaptureDevice)
        /// A screen.
        case screen(CaptureDevice)
        /// A moving test card with a title and a clock.
        case testCard(title: String)
    }

    /// The source of audio.
    public enum AudioDevice: Hashable, Sendable {
        /// A microphone.
        case microphone(CaptureDevice)
        /// A test tone that pauses briefly each second.
        case testTone
    }
}

// The former names, for programs that were written for them.
extension BroadcastSource {
    /// The former name of ``VideoDevice``.
    @available(*, deprecated, renamed: "VideoDevice")
    public typealias PictureDevice = VideoDevice
    /// The former name of ``AudioDevice``.
    @available(*, deprecated, renamed: "AudioDevice")
    public typealias SoundDevice = AudioDevice

    /// The former spelling of ``devices(video:audio:)``.
    @available(*, deprecated, renamed: "devices(video:audio:)")
    public static func devices(picture: VideoDevice?, sound: AudioDevice?) -> BroadcastSource {
        .devices(video: picture, audio: sound)
    }
}
