import MediaCore

/// The demand for each track of a channel. Tracks have parts of their own, and a viewer may wait for those of the video
/// only.
struct TrackPromptness: Sendable {
    private let video = PromptnessDemand()
    private let audio = PromptnessDemand()

    subscript(mediaType: MediaType) -> PromptnessDemand {
        switch mediaType {
        case .video: video
        case .audio: audio
        }
    }
}
