import MediaCore

/// The first media sequence numbers of the renditions' playlists; zero for a rendition that does not exist.
struct FirstMediaSequences: Sendable, Hashable {
    var video = 0
    var audio = 0

    subscript(mediaType: MediaType) -> Int {
        get { mediaType == .video ? video : audio }
        set { if mediaType == .video { video = newValue } else { audio = newValue } }
    }

    /// The later number of each rendition: a playlist never begins earlier than before.
    func later(_ other: FirstMediaSequences) -> FirstMediaSequences {
        FirstMediaSequences(video: max(video, other.video), audio: max(audio, other.audio))
    }
}
