import Codecs
import DequeModule
import MediaCore

/// The push whose video has the scoreboard, as restreams get it: the server's video and the publisher's audio, on the
/// publisher's timeline. Confined to the push's event loop.
struct DrawnBroadcast {
    private struct WaitingUnit {
        var unit: AccessUnit
        var trackIndex: Int
        var time: MediaTime
    }

    /// Limit of audio that waits for the video of its time: ten seconds of AAC.
    private static let maximumWaitingCount = 512

    private let fanOut: LiveFanOut
    private let timescale: Timescale
    /// The position of the video among the publisher's tracks; `nil` while the broadcast is not on.
    private var videoIndex: Int?
    private var tracks: [LiveReaderTrack] = []
    /// Ticks by which packaged times are ahead of the publisher's.
    private var offset: Int64 = 0
    /// Audio, which comes before the video of its time, because drawing and encoding take a while.
    private var waiting: Deque<WaitingUnit> = []

    init(_ fanOut: LiveFanOut, timescale: Timescale) { (self.fanOut, self.timescale) = (fanOut, timescale) }

    /// Notes the time of a unit of the source's video, and the time with which it was packaged.
    mutating func noteTime(_ published: MediaTime, packaged: Int64) {
        offset = packaged.subtractingSaturating(published.converted(to: timescale).value)
    }

    /// Takes a unit of another track from the publisher.
    mutating func take(_ unit: AccessUnit, trackIndex: Int) {
        guard let videoIndex, trackIndex != videoIndex, tracks.indices.contains(trackIndex),
            tracks[trackIndex].track.mediaType == .audio
        else { return }
        let time = MediaTime(value: unit.decodeTime, timescale: tracks[trackIndex].track.timescale)
        waiting.append(WaitingUnit(unit: unit, trackIndex: trackIndex, time: time))
        while waiting.count > Self.maximumWaitingCount, let first = waiting.popFirst() {
            fanOut.publish(first.unit, trackIndex: first.trackIndex)
        }
    }

    /// Takes a frame with the scoreboard. The first one begins the broadcast.
    ///
    /// - Parameters:
    ///   - unit: the frame, with packaged times.
    ///   - configuration: its codec.
    ///   - published: the publisher's broadcast.
    ///   - epoch: the push.
    mutating func take(
        _ unit: AccessUnit, _ configuration: CodecConfiguration, of published: LiveBroadcast?, epoch: PublishingEpoch
    ) {
        if videoIndex == nil {
            guard unit.isRandomAccessPoint, let published,
                let index = published.tracks.firstIndex(where: { $0.track.mediaType == .video })
            else { return }
            videoIndex = index
            tracks = published.tracks
            tracks[index] = LiveReaderTrack(
                track: Track(id: tracks[index].track.id, mediaType: .video, timescale: timescale),
                configuration: configuration)
            fanOut.begin(tracks: tracks, on: epoch.eventLoop)
        }
        guard let videoIndex else { return }
        fanOut.updateConfiguration(configuration, trackIndex: videoIndex)
        var unit = unit
        unit.presentationTime = unit.presentationTime.subtractingSaturating(offset)
        unit.decodeTime = unit.presentationTime
        let time = MediaTime(value: unit.decodeTime, timescale: timescale)
        while let first = waiting.first, first.time <= time {
            waiting.removeFirst()
            fanOut.publish(first.unit, trackIndex: first.trackIndex)
        }
        fanOut.publish(unit, trackIndex: videoIndex)
    }

    /// Ends the broadcast until the next frame comes.
    mutating func end() {
        guard videoIndex != nil else { return }
        (videoIndex, tracks, waiting) = (nil, [], [])
        fanOut.end()
    }
}
