import Codecs
import MediaCore

/// A declared track, as its epoch follows it.
struct PublishedInput {
    var track: Track
    var configuration: CodecConfiguration?
    /// One track of each media type is shown.
    var isUsed: Bool
    var hasSentUnit = false
    var meter = RateMeter()
    /// Which of the packager's initialization sections viewers can already fetch.
    var registeredInitializationNumber = 0

    /// Can be packaged.
    var isReady: Bool { hasSentUnit && configuration != nil }

    /// The first track of each media type is used.
    static func inputs(for tracks: [PublishedTrack]) -> [PublishedInput] {
        var seen: Set<MediaType> = []
        return tracks.map { track in
            PublishedInput(
                track: track.track, configuration: track.configuration,
                isUsed: seen.insert(track.track.mediaType).inserted)
        }
    }
}
