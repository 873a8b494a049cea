import Codecs
import MediaCore

/// A declared track, as its epoch follows it.
struct PublishedInput {
    /// As it is packaged: a transcoder may bring another timescale than the publisher's.
    var track: Track
    /// Of what is packaged.
    var configuration: CodecConfiguration?
    let foreignCodec: ForeignCodec?
    /// The clock that it is packaged with, if that is not the track's.
    var packagedTimescale: Timescale?
    /// For a foreign codec, while the push is shown.
    var transcoding: TrackTranscoding?
    /// One track of each media type is shown.
    var isUsed: Bool
    var hasSentUnit = false
    /// Of what the publisher sends.
    var meter = RateMeter()
    /// Which of the packager's initialization sections viewers can already fetch.
    var registeredInitializationNumber = 0

    init(_ published: PublishedTrack, isUsed: Bool) {
        track = published.track
        configuration = published.configuration
        foreignCodec = published.foreignCodec
        self.isUsed = isUsed
    }

    /// Can be packaged.
    var isReady: Bool { hasSentUnit && configuration != nil }

    /// What readers get: the publisher's own track.
    var readerTrack: LiveReaderTrack {
        LiveReaderTrack(
            track: track, configuration: foreignCodec == nil ? configuration : nil, foreignCodec: foreignCodec)
    }

    /// The first track of each media type is used.
    static func inputs(for tracks: [PublishedTrack]) -> [PublishedInput] {
        var seen: Set<MediaType> = []
        return tracks.map { PublishedInput($0, isUsed: seen.insert($0.track.mediaType).inserted) }
    }
}

/// A foreign track's way to viewers.
struct TrackTranscoding {
    let transcoder: any LiveTranscoder
    let relay: TranscoderRelay
    /// Of the units that it brings.
    var timescale: Timescale
    /// An overload is reported once a push: it comes with every unit, or not at all.
    var hasReportedOverload = false

    func close() {
        transcoder.close()
        relay.close()
    }
}
