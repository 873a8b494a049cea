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
