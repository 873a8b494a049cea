/// An author's description of a track: `udta` in its `trak` (ISO/IEC 14496-12 §8.10.1).
package struct TrackUserData: Sendable, Hashable {
    /// The track's name, on one line and not empty; `nil` if it has none.
    package var name: String?
    /// Whether the track is a commentary on the movie.
    package var isCommentary = false
    /// Whether the audio describes the picture, for people who do not see it.
    package var describesVideo = false
    /// Whether subtitles describe speakers and noises, for people who are deaf or hard of hearing.
    package var isForTheDeaf = false
    /// Whether subtitles are shown also to viewers who understand the audio.
    package var isForced = false

    package init() {}
}
