import Transcoding

/// The description of a complete ladder, stored beside its movies, or the reason why there is none.
struct LadderManifest: Codable, Sendable, Hashable {
    enum Ending: String, Codable, Sendable {
        case ready
        case failed
        case cancelled
        /// An operator does not want a ladder, whatever the configuration says.
        case dropped
    }

    struct Movie: Codable, Sendable, Hashable {
        var rung: LadderRung
        /// Presentation time of the first frame on the title's timeline, in ticks of ``timescale``.
        var start: Int64
        var timescale: UInt32
    }

    /// Audio that was encoded for the renditions with a limited bandwidth.
    struct Audio: Codable, Sendable, Hashable {
        /// The names of the title's renditions in whose place it is played.
        var replaced: [String]
        /// The time in microseconds by which it begins after the rendition that was encoded.
        var delay: Int64
    }

    var request: LadderRequest
    /// Empty if no preset makes sense for the title.
    var movies: [Movie]
    /// `nil` if all renditions are played with the title's own audio, as those of earlier versions are.
    var audio: [Audio]?
    var ending = Ending.ready
    /// The human-readable reason of a failure.
    var error: String?
}
