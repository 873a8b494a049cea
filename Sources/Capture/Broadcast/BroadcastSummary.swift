/// A human-readable description of the captured media and how it is sent.
public struct BroadcastSummary: Hashable, Sendable {
    /// The video, such as "H.264 1280x720, copied"; `nil` if there is none.
    public var video: String?
    /// The audio, such as "AAC at 128 kbit/s"; `nil` if there is none.
    public var audio: String?

    /// Creates a description; `nil` means that there is no such track.
    public init(video: String?, audio: String?) {
        self.video = video
        self.audio = audio
    }
}

// The former names, for programs that were written for them.
extension BroadcastSummary {
    /// The former name of ``video``.
    @available(*, deprecated, renamed: "video")
    public var picture: String? { video }
    /// The former name of ``audio``.
    @available(*, deprecated, renamed: "audio")
    public var sound: String? { audio }
}
