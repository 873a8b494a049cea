package import Codecs
import HLSPlaylist
package import MediaCore
package import NIOCore
package import Packaging

/// One rendition of a channel as viewers see it: the segments that its playlist lists, those that have just left it,
/// and the parts of the one that is being built.
package struct RenditionWindow: Sendable {
    package let mediaType: MediaType
    package internal(set) var configuration: CodecConfiguration
    /// Oldest first.
    package private(set) var listed: [LiveSegment] = []
    /// How long the playlist was, in seconds, when each of the listed segments was its newest.
    private var playlistSeconds: [Double] = []
    /// Off the playlist, but still fetchable, oldest first.
    private var retainedSegments: [RetainedSegment] = []
    /// Finished parts of the segment that is being built.
    package private(set) var openParts: [PartialSegment] = []
    /// How many discontinuities have left the playlist.
    package private(set) var discontinuitySequence: Int
    /// The initialization sections that listed and retained segments need.
    private var initializationSections: [InitializationSection] = []

    private struct RetainedSegment: Sendable {
        var segment: LiveSegment
        /// On the window's media clock.
        var expiry: Double
    }

    /// Segments that are listed, and as many again that are retained. An encoder comes nowhere near; a publisher whose
    /// segments last next to nothing would otherwise fill the memory before they last three target durations.
    static let maximumListedCount = 512

    private struct InitializationSection: Sendable {
        var epoch: String
        var number: Int
        var bytes: ByteBuffer
    }

    init(mediaType: MediaType, configuration: CodecConfiguration, discontinuitySequence: Int) {
        self.mediaType = mediaType
        self.configuration = configuration
        self.discontinuitySequence = discontinuitySequence
    }

    /// In URLs: `video`, `audio`.
    package var name: String { mediaType.rawValue }

    /// Off the playlist, but still fetchable (bis §6.2.2), oldest first.
    package var retained: [LiveSegment] { retainedSegments.map(\.segment) }

    /// Something to be seen or heard is listed.
    package var listsMedia: Bool { !listed.allSatisfy(\.isGap) }

    /// Nothing but gaps is listed, and nothing else is kept: the rendition has gone.
    var hasNoMedia: Bool {
        !listsMedia && openParts.isEmpty && retainedSegments.allSatisfy { $0.segment.isGap }
    }

    // MARK: Growing and shrinking

    mutating func append(_ part: PartialSegment) { openParts.append(part) }

    /// - Parameters:
    ///   - minimumCount: of listed segments.
    ///   - minimumDuration: seconds that stay listed (bis §6.2.2: three target durations).
    ///   - mediaClock: seconds that the channel has been sent so far, `segment` included.
    mutating func append(_ segment: LiveSegment, minimumCount: Int, minimumDuration: Double, mediaClock: Double) {
        openParts.removeAll()
        listed.append(segment)
        var listedSeconds = listed.reduce(0) { $0 + $1.duration.seconds }
        // Of the playlists that listed what leaves now.
        let longestSeconds = playlistSeconds.max() ?? 0
        while listed.count > minimumCount, let first = listed.first,
            listedSeconds - first.duration.seconds >= minimumDuration || listed.count > Self.maximumListedCount
        {
            listed.removeFirst()
            playlistSeconds.removeFirst()
            listedSeconds -= first.duration.seconds
            if first.isDiscontinuous { discontinuitySequence += 1 }
            retainedSegments.append(
                RetainedSegment(
                    segment: first, expiry: mediaClock + first.duration.seconds + longestSeconds))
        }
        playlistSeconds.append(listedSeconds)
        dropExpired(mediaClock: mediaClock)
    }

    /// A segment that left stays for its own duration and that of the longest playlist that listed it (bis §6.2.2).
    private mutating func dropExpired(mediaClock: Double) {
        while let first = retainedSegments.first,
            first.expiry <= mediaClock || retainedSegments.count > Self.maximumListedCount
        {
            retainedSegments.removeFirst()
        }
        let needed = Set((retained + listed).map { "\($0.epoch)/\($0.initializationNumber)" })
        guard let newest = initializationSections.last else { return }
        initializationSections.removeAll {
            !needed.contains("\($0.epoch)/\($0.number)") && ($0.epoch, $0.number) != (newest.epoch, newest.number)
        }
    }

    mutating func add(initializationSection bytes: ByteBuffer, epoch: String, number: Int) {
        initializationSections.append(InitializationSection(epoch: epoch, number: number, bytes: bytes))
    }

    // MARK: Looking up

    /// Listed or retained.
    package func segment(mediaSequence: Int, epoch: Substring) -> LiveSegment? {
        let isMeant = { (segment: LiveSegment) in
            segment.mediaSequence == mediaSequence && segment.epoch == epoch && !segment.isGap
        }
        return listed.last(where: isMeant) ?? retainedSegments.last { isMeant($0.segment) }?.segment
    }

    package func initializationSection(epoch: Substring, number: Int) -> ByteBuffer? {
        initializationSections.first { $0.epoch == epoch && $0.number == number }?.bytes
    }

    /// Over what is listed; `nil` where that is nothing but gaps.
    package func bitRate(targetDuration: Int) -> SegmentBitRate? {
        let media = listed.filter { !$0.isGap }
        guard !media.isEmpty else { return nil }
        return SegmentBitRate(
            segments: media.map { ($0.byteCount, $0.duration.seconds) }, targetDuration: Double(targetDuration))
    }

    /// Pictures a second over what is listed; `nil` for audio.
    package var frameRate: Double? {
        guard mediaType == .video else { return nil }
        let seconds = listed.reduce(0) { $0 + ($1.isGap ? 0 : $1.duration.seconds) }
        let count = listed.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.sampleCount } }
        return seconds > 0 ? Double(count) / seconds : nil
    }

    /// Bytes of media held.
    package var byteCount: Int {
        (retained + listed).reduce(0) { $0 + $1.byteCount } + openParts.reduce(0) { $0 + $1.byteCount }
    }
}
