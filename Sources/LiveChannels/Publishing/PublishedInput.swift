import Codecs
import MediaCore

/// A declared track with the state that its epoch keeps for it, or a further rendition of one.
struct PublishedInput {
    /// The track as it is packaged; a transcoder may produce another timescale than the publisher's.
    var track: Track
    /// The timescale of the units that the publisher sends.
    let sentTimescale: Timescale
    /// The configuration of the packaged track; `nil` until it is known.
    var configuration: CodecConfiguration?
    let foreignCodec: ForeignCodec?
    /// The rendition that the track becomes.
    let rendition: RenditionID
    /// The position of the input whose units this one shows, too; `nil` for a declared track.
    let sourceIndex: Int?
    /// The position of the input that shows the track's units untouched, beside their conversion; `nil` if there is
    /// none.
    var untouchedIndex: Int?
    /// The parameters that readers get, of a codec that is transcoded although HLS carries it; `nil` for others.
    let sentConfiguration: CodecConfiguration?
    /// The timescale with which the track is packaged, if it is not the track's own.
    var packagedTimescale: Timescale?
    /// The transcoder of a foreign codec, while the push is shown.
    var transcoding: TrackTranscoding?
    /// True if the track is shown; only one track of each media type is.
    var isUsed: Bool
    var hasSentUnit = false
    /// True if the packager has the track. A track that comes late is packaged from the next key frame on.
    var isPackaged = false
    /// The number of packets of the track that have arrived.
    var receivedPacketCount = 0
    /// Measures what the publisher sends.
    var meter = RateMeter()
    /// Measures how regularly the publisher's units arrive.
    var arrivals = ArrivalJitter()
    /// Finds out whether the publisher's timestamps advance with time.
    var clockRate = ClockRateWatch()
    /// Makes them do so; `nil` while they do by themselves.
    var scaling: TimestampScaling?
    /// The publisher's newest unit; `nil` before the first.
    var latest: (time: MediaTime, arrivedAt: WallClockTime)?
    /// The time of the newest unit that was packaged, until ``PublishingEpoch/unitsArrived()`` takes it.
    var arrivedUnitTime: MediaTime?
    /// The number of the newest initialization section that viewers can already fetch.
    var registeredInitializationNumber = 0

    /// - Parameters:
    ///   - published: the track.
    ///   - isUsed: whether it is shown.
    ///   - convertsOpus: whether players get AAC in place of Opus.
    init(_ published: PublishedTrack, isUsed: Bool, convertsOpus: Bool = false) {
        track = published.track
        sentTimescale = published.track.timescale
        if convertsOpus, isUsed, case .opus(let opus)? = published.configuration, opus.channelMapping == nil {
            (configuration, sentConfiguration) = (nil, published.configuration)
            foreignCodec = .opus(channelCount: opus.channelCount)
        } else {
            (configuration, sentConfiguration) = (published.configuration, nil)
            foreignCodec = published.foreignCodec
        }
        self.isUsed = isUsed
        rendition = RenditionID(published.track.mediaType)
        sourceIndex = nil
    }

    /// The units of a track that is converted, as they come: players that know the codec may choose them.
    private init(untouched published: PublishedTrack, configuration: CodecConfiguration, sourceIndex: Int) {
        track = published.track
        sentTimescale = published.track.timescale
        self.configuration = configuration
        (foreignCodec, sentConfiguration, isUsed) = (nil, nil, true)
        rendition = RenditionID(published.track.mediaType, variant: configuration.name.lowercased())
        self.sourceIndex = sourceIndex
    }

    /// True if the publisher sends it as a track of its own.
    var isSent: Bool { sourceIndex == nil }

    /// True if the track can be packaged.
    var isReady: Bool { hasSentUnit && configuration != nil }

    /// True if the push is shown without the track, which may still come.
    var isMissing: Bool { isUsed && !isPackaged }

    /// Why the track is not shown, for operators: what has not come yet.
    var whatIsMissing: String {
        if hasSentUnit { return "no codec parameters" }
        guard receivedPacketCount > 0 else { return "nothing" }
        if foreignCodec != nil { return "nothing that could be transcoded" }
        return track.mediaType == .video ? "no key frame" : "no complete frame"
    }

    /// The track that RTSP readers get: the publisher's own, not transcoded.
    var readerTrack: LiveReaderTrack {
        if let sentConfiguration { return LiveReaderTrack(track: track, configuration: sentConfiguration) }
        return LiveReaderTrack(
            track: track, configuration: foreignCodec == nil ? configuration : nil, foreignCodec: foreignCodec)
    }

    /// The inputs for announced tracks, in their order, and behind them those that show converted tracks untouched. The
    /// first track of each media type is used.
    static func inputs(for tracks: [PublishedTrack], convertsOpus: Bool) -> [PublishedInput] {
        var seen: Set<MediaType> = []
        var inputs = tracks.map {
            PublishedInput(
                $0, isUsed: seen.insert($0.track.mediaType).inserted, convertsOpus: convertsOpus)
        }
        for (index, track) in tracks.enumerated() {
            guard let configuration = inputs[index].sentConfiguration else { continue }
            inputs[index].untouchedIndex = inputs.count
            inputs.append(PublishedInput(untouched: track, configuration: configuration, sourceIndex: index))
        }
        return inputs
    }
}
