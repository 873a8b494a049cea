/// A human-readable description of what is captured and how it is sent.
public struct BroadcastSummary: Hashable, Sendable {
    /// The video, such as "H.264 1280x720, copied"; `nil` if there is none.
    public var picture: String?
    /// The audio, such as "AAC at 128 kbit/s"; `nil` if there is none.
    public var sound: String?

    /// Creates a description; `nil` means that there is no such track.
    public init(picture: String?, sound: String?) {
        self.picture = picture
        self.sound = sound
    }
}
