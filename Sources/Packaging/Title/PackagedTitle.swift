import Codecs
import HLSPlaylist
package import ISOBMFF
package import MediaCore
import Synchronization
import NIOCore

/// A movie file as HLS, packaged just in time: playlists are derived from the sample tables, segments are read from the
/// file on request.
package final class PackagedTitle: Sendable {
    /// The movie file.
    package let file: MediaFile
    /// The title in the file's metadata; `nil` if it has none.
    package let name: String?
    /// The artist and the album in the file's metadata; `nil` if it has none.
    package let artist, album: String?
    /// The dates at which a recording was made, on the title's timeline; empty for other titles.
    package let dates: ProgramDates
    /// A number that is unique while the program runs, unlike an address.
    package let instance: Int
    /// The file's own renditions, video first if there is any.
    package let renditions: [PackagedRendition]
    /// The memory that the sample tables and plans take, in bytes.
    package let indexByteCount: Int
    /// The target duration in seconds, the same in all renditions (HLS Authoring Specification 8.2).
    package let targetDuration: Int
    /// Further renditions of the video, which are not in `renditions`; `nil` if there are none.
    package let ladder: PackagedLadder?
    /// The tracks of the file that are left out, and why; one human-readable line each.
    package let leftOut: [String]

    /// The I-frames, keyed by the rendition's name; see ``iFrames(of:)``.
    let iFrameStore = Mutex<[String: [SegmentPlan]]>([:])
    /// The segments of transport streams, keyed by the leading rendition's name.
    let transportStreamPlanStore = Mutex<[String: [TransportStreamPlan]]>([:])

    private static let instanceCount = Atomic<Int>(0)

    /// The playlist version: EXT-X-MAP outside of I-frame playlists needs version 6 (rfc8216bis §7).
    static let playlistVersion = 6

    /// Plans the segments of a movie.
    ///
    /// - Parameters:
    ///   - index: The movie's index.
    ///   - file: The movie.
    ///   - leavesOutUnsupported: Whether to leave out tracks that cannot be packaged, even if the title loses its video
    ///     or all of its audio.
    /// - Throws: ``TitlePackagingError`` if the movie has to be converted first.
    package init(
        index: MovieIndex, file: MediaFile, leavesOutUnsupported: Bool = false
    ) throws(TitlePackagingError) {
        let selection = TrackSelection(index)
        let tracks = try selection.playable(leavesOutUnsupported: leavesOutUnsupported)
        let timelines = try TimelineResolver(tracks: tracks).timelines
        var plans: [[SegmentPlan]] = []
        var boundaries: [MediaTime] = []
        for (track, timeline) in zip(tracks, timelines) {
            let planner = SegmentPlanner(track: track, timeline: timeline)
            if track.track.mediaType == .video {
                try Self.checkFrameRate(of: track)
                plans.append(try planner.planVideo())
                boundaries = Self.boundaries(of: plans.last ?? [], timescale: track.track.timescale)
            } else {
                plans.append(planner.planAudio(boundaries: boundaries))
            }
        }
        try Self.checkByteCounts(of: plans)
        let targetDuration = Self.targetDuration(of: plans, tracks: tracks)
        var audioCount = 0
        var renditions: [PackagedRendition] = []
        for (position, track) in tracks.enumerated() {
            guard let configuration = track.configuration, !plans[position].isEmpty else { continue }
            if track.track.mediaType == .audio { audioCount += 1 }
            renditions.append(
                PackagedRendition(
                    name: track.track.mediaType == .video ? "video" : audioCount == 1 ? "audio" : "audio-\(audioCount)",
                    track: track.track, configuration: configuration, segments: plans[position],
                    bitRate: Self.bitRate(plans[position], track: track, targetDuration: targetDuration),
                    displayMatrix: track.displayMatrix, isEnabled: track.isEnabled, language: track.language,
                    userData: track.userData, pixelAspectRatio: track.pixelAspectRatio, samples: track.samples,
                    timeline: timelines[position]))
        }
        guard !renditions.isEmpty else { throw TitlePackagingError(.noMedia, "there is neither video nor audio in it") }
        self.file = file
        (name, artist, album) = (index.title, index.artist, index.album)
        dates = Self.dates(of: tracks, timelines)
        instance = Self.instanceCount.wrappingAdd(1, ordering: .relaxed).newValue
        self.renditions = renditions
        self.targetDuration = targetDuration
        ladder = nil
        leftOut = selection.leftOut
        indexByteCount = Self.indexByteCount(of: renditions)
    }

    /// Creates the same title with further renditions of its video; see ``adding(_:)``.
    init(_ title: PackagedTitle, ladder: PackagedLadder, targetDuration: Int) {
        file = title.file
        (name, artist, album) = (title.name, title.artist, title.album)
        dates = title.dates
        instance = Self.instanceCount.wrappingAdd(1, ordering: .relaxed).newValue
        renditions = title.renditions
        self.targetDuration = targetDuration
        self.ladder = ladder
        leftOut = title.leftOut
        indexByteCount = Self.indexByteCount(
            of: renditions + ladder.rungs.map(\.rendition) + ladder.audio.map(\.rendition))
    }

    /// The dates of the first track that has some.
    private static func dates(of tracks: [MovieTrack], _ timelines: [RenditionTimeline]) -> ProgramDates {
        guard let (track, timeline) = zip(tracks, timelines).first(where: { !$0.0.dates.isEmpty }) else {
            return ProgramDates()
        }
        var leftOut: Int64 = 0
        for duration in track.samples.durations.prefix(timeline.samples.lowerBound) {
            leftOut = leftOut.addingSaturating(Int64(duration))
        }
        return track.dates.moved(
            by: MediaTime(
                value: timeline.firstDecodeTime.subtractingSaturating(leftOut), timescale: track.track.timescale))
    }

    private static func indexByteCount(of renditions: [PackagedRendition]) -> Int {
        renditions.reduce(0) {
            $0 + $1.samples.memoryByteCount + $1.segments.count * MemoryLayout<SegmentPlan>.stride
        }
    }

    /// The end of the rendition that ends last: one may start late, or have leading priming.
    package var duration: MediaTime {
        renditions.map { MediaTime(value: $0.presentationEnd, timescale: $0.track.timescale) }.max()
            ?? .zero(.milliseconds)
    }

    /// The dates of the timeline, span by span; empty for a title that is not a recording.
    package var datedSpans: [DatedSpan] { dates.spans(until: duration) }

    /// The file's own video; `nil` if there is none.
    package var video: PackagedRendition? { renditions.first { $0.track.mediaType == .video } }
    /// The file's audio renditions.
    package var audio: [PackagedRendition] { renditions.filter { $0.track.mediaType == .audio } }

    /// Returns a rendition of the title or of its ladder; `nil` if there is none of that name.
    package func rendition(named name: Substring) -> PackagedRendition? {
        renditions.first { $0.name == name } ?? ladder?.rungs.first { $0.rendition.name == name }?.rendition
            ?? ladder?.audio.first { $0.rendition.name == name }?.rendition
    }

    /// The highest frame rate: more than 60 frames per second are forbidden (HLS Authoring Specification 1.19); slow
    /// motion from phones has 120 and 240.
    private static let maximumFrameRate = 60.0
    /// The tolerated average: clocks round, and an extra frame or two may occur. Fewer than ``minimumCountOfRate``
    /// frames do not tell a rate.
    private static let toleratedFrameRate = maximumFrameRate * 1.01
    private static let minimumCountOfRate = 60

    private static func checkFrameRate(of track: MovieTrack) throws(TitlePackagingError) {
        let duration = MediaTime(value: track.samples.durations.total, timescale: track.track.timescale).seconds
        let count = track.samples.count
        guard count >= minimumCountOfRate, Double(count) > duration * toleratedFrameRate else { return }
        let rate = duration > 0 ? "\(Int(min(Double(count) / duration, 1e15).rounded(.up)))" : "infinitely many"
        throw TitlePackagingError(
            .tooManyFrames, "it has \(rate) frames per second, more than \(Int(maximumFrameRate))")
    }

    /// The starts of all segments, and the end of the last one.
    static func boundaries(of plans: [SegmentPlan], timescale: Timescale) -> [MediaTime] {
        let end = plans.last.map { $0.decodeTime.addingSaturating($0.duration) }
        return (plans.map(\.decodeTime) + [end].compactMap(\.self)).map { MediaTime(value: $0, timescale: timescale) }
    }

    private static func checkByteCounts(of plans: [[SegmentPlan]]) throws(TitlePackagingError) {
        let limit = PackagedRendition.maximumSegmentByteCount
        guard let largest = plans.joined().map(\.byteCount).max(), largest > limit else { return }
        throw TitlePackagingError(.segmentTooLarge, "a segment takes \(largest) bytes; the limit is \(limit >> 20) MiB")
    }

    /// The longest segment's duration, rounded to seconds (rfc8216bis §4.4.3.1).
    private static func targetDuration(of plans: [[SegmentPlan]], tracks: [MovieTrack]) -> Int {
        let longest = zip(plans, tracks).flatMap { plans, track in
            plans.map { MediaTime(value: $0.duration, timescale: track.track.timescale) }
        }.max()
        return max(1, Int(min(longest?.seconds ?? 1, 1e15).rounded()))
    }

    /// The rates of a rendition's segments.
    static func bitRate(_ plans: [SegmentPlan], track: MovieTrack, targetDuration: Int) -> SegmentBitRate {
        SegmentBitRate(
            segments: plans.map {
                ($0.byteCount, MediaTime(value: $0.duration, timescale: track.track.timescale).seconds)
            },
            targetDuration: Double(targetDuration))
    }
}
