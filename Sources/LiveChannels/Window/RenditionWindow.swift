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
    /// One for each of the listed segments.
    private var listings: [Listing] = []
    /// Off the playlist, but still fetchable, oldest first.
    private var retainedSegments: [RetainedSegment] = []
    /// Listed in front of them, and read from the disk.
    package private(set) var archived = ArchivedWindow()
    /// The segment that is being built, once it has a finished part.
    package private(set) var openSegment: OpenLiveSegment?
    /// How many discontinuities have left the playlist.
    package private(set) var discontinuitySequence: Int
    /// Of the newest segment that came from a publisher, or from the slate, rather than from a stand-in.
    private(set) var newestOwnMediaSequence: Int?
    /// The initialization sections that listed and retained segments need.
    private var initializationSections: [InitializationSection] = []

    /// A segment that is being built, as far as players may know of it.
    package struct OpenLiveSegment: Sendable {
        package var heading: LiveSegmentHeading
        package var parts: [PartialSegment]

        package var duration: Double { parts.reduce(0) { $0 + $1.duration.seconds } }
    }

    /// Where a playlist ends: the last part, of the open segment or of the last one that is listed.
    package struct Edge: Sendable, Hashable {
        package var mediaSequence: Int
        /// `nil` where the segment lists no parts.
        package var part: Int?
    }

    private struct Listing: Sendable {
        /// How long the playlist was, in seconds, when the segment was its newest.
        var playlistSeconds: Double
        /// On the window's media clock.
        var since: Double
        var placement: ArchivePlacement?
    }

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
        var configuration: CodecConfiguration
    }

    init(mediaType: MediaType, configuration: CodecConfiguration, discontinuitySequence: Int) {
        self.mediaType = mediaType
        self.configuration = configuration
        self.discontinuitySequence = discontinuitySequence
    }

    /// As the server before this one left it: in front of what comes next, and nothing in memory.
    init(_ restored: RestoredArchive.Rendition, configuration: CodecConfiguration, archivedSeconds: Int) {
        self.init(
            mediaType: restored.mediaType, configuration: configuration,
            discontinuitySequence: restored.discontinuitySequence)
        archived = ArchivedWindow(restored, windowSeconds: archivedSeconds)
        newestOwnMediaSequence = restored.segments.last { !$0.isGap }?.heading.mediaSequence
        initializationSections = restored.sections.map {
            InitializationSection(
                epoch: $0.epoch, number: $0.number, bytes: $0.bytes, configuration: $0.configuration)
        }
    }

    /// In URLs: `video`, `audio`.
    package var name: String { mediaType.rawValue }

    /// Off the playlist, but still fetchable (bis §6.2.2), oldest first.
    package var retained: [LiveSegment] { retainedSegments.map(\.segment) }

    /// Something to be seen or heard is listed.
    package var listsMedia: Bool { !listed.allSatisfy(\.isGap) }

    /// The same, or a part of it is finished.
    package var hasMedia: Bool { listsMedia || openSegment != nil }

    /// The playlist has something that is not a stand-in's, in memory or on disk.
    var ownsMedia: Bool { newestOwnMediaSequence.map { $0 >= firstMediaSequence } ?? false }

    /// Players that come now are told of it.
    var isOffered: Bool { hasMedia && ownsMedia }

    /// Nothing but gaps is listed, and nothing else is kept: the rendition has gone.
    var hasNoMedia: Bool {
        !hasMedia && archived.hasNoMedia && retainedSegments.allSatisfy { $0.segment.isGap }
    }

    // MARK: Growing and shrinking

    mutating func noteOwnMedia(_ mediaSequence: Int) { newestOwnMediaSequence = mediaSequence }

    mutating func append(_ part: PartialSegment, of heading: LiveSegmentHeading) {
        if openSegment?.heading.mediaSequence == heading.mediaSequence {
            openSegment?.parts.append(part)
        } else {
            openSegment = OpenLiveSegment(heading: heading, parts: [part])
        }
    }

    /// - Parameters:
    ///   - minimumCount: of listed segments.
    ///   - minimumDuration: seconds that stay listed (bis §6.2.2: three target durations).
    ///   - mediaClock: seconds that the channel has been sent so far, `segment` included.
    ///   - handedOutAt: when a playlist was last handed out, on that clock: a segment that was in none is known to
    ///     nobody.
    ///   - archivedSeconds: that the whole playlist lasts at most, where what leaves memory stays listed; else zero.
    ///   - placement: where the archive has the segment, or will have.
    mutating func append(
        _ segment: LiveSegment, minimumCount: Int, minimumDuration: Double, mediaClock: Double, handedOutAt: Double,
        archivedSeconds: Double = 0, placement: ArchivePlacement? = nil
    ) {
        openSegment = nil
        listed.append(segment)
        var listedSeconds = listed.reduce(0) { $0 + $1.duration.seconds }
        // Of the playlists that listed what leaves now.
        let longestSeconds = listings.map(\.playlistSeconds).max() ?? 0
        while listed.count > minimumCount, let first = listed.first,
            listedSeconds - first.duration.seconds >= minimumDuration || listed.count > Self.maximumListedCount
        {
            listed.removeFirst()
            let listing = listings.removeFirst()
            listedSeconds -= first.duration.seconds
            // What was published before there was a time shift is not on disk.
            let isArchived = listing.placement != nil || !archived.segments.isEmpty || first.isGap
            if archivedSeconds > 0, isArchived {
                archived.append(
                    ArchivedSegment(first, rendition: name, placement: listing.placement, since: listing.since))
            } else if first.isDiscontinuous {
                discontinuitySequence += 1
            }
            guard listing.since <= handedOutAt else { continue }
            retainedSegments.append(
                RetainedSegment(
                    segment: first, expiry: mediaClock + first.duration.seconds + longestSeconds))
        }
        listings.append(Listing(playlistSeconds: listedSeconds, since: mediaClock, placement: placement))
        discontinuitySequence += archived.shrink(
            toSeconds: archivedSeconds, listedSeconds: listedSeconds, rendition: name, mediaClock: mediaClock,
            handedOutAt: handedOutAt)
        dropExpired(mediaClock: mediaClock)
    }

    /// Lists segments for the time before the rendition's first media, if it lists nothing, or nothing but gaps: the
    /// multivariant playlist has not named it then. What lies on disk stays as it is, and what follows it.
    ///
    /// - Parameters:
    ///   - segments: without a hole in their numbers, oldest first.
    ///   - discontinuitySequence: of the first one's playlist.
    ///   - mediaClock: see ``append(_:minimumCount:minimumDuration:mediaClock:handedOutAt:archivedSeconds:placement:)``.
    mutating func backfill(_ segments: [LiveSegment], discontinuitySequence: Int, mediaClock: Double) {
        guard archived.segments.isEmpty else { return }
        guard listed.isEmpty else {
            let byNumber = Dictionary(segments.map { ($0.mediaSequence, $0) }, uniquingKeysWith: { first, _ in first })
            for index in listed.indices where listed[index].isGap {
                if let segment = byNumber[listed[index].mediaSequence] { listed[index] = segment }
            }
            return
        }
        self.discontinuitySequence = discontinuitySequence
        listed = segments
        var seconds = 0.0
        listings = segments.map { segment in
            seconds += segment.duration.seconds
            return Listing(playlistSeconds: seconds, since: mediaClock, placement: nil)
        }
    }

    /// Leaves the past to the archive, and nothing in memory.
    mutating func park() {
        for (segment, listing) in zip(listed, listings) {
            archived.append(
                ArchivedSegment(segment, rendition: name, placement: listing.placement, since: listing.since))
        }
        listed = []
        listings = []
        retainedSegments = []
        openSegment = nil
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
        // Those of archived segments came one after the other, so what follows the oldest one's is needed.
        let oldest = archived.oldest?.heading
        let kept = initializationSections.drop {
            $0.epoch != oldest?.epoch || $0.number != oldest?.initializationNumber
        }
        initializationSections.removeAll {
            !needed.contains("\($0.epoch)/\($0.number)") && ($0.epoch, $0.number) != (newest.epoch, newest.number)
        }
        if !kept.isEmpty { initializationSections = Array(kept) }
    }

    mutating func add(initializationSection bytes: ByteBuffer, epoch: String, number: Int) {
        initializationSections.append(
            InitializationSection(epoch: epoch, number: number, bytes: bytes, configuration: configuration))
    }

    // MARK: Looking up

    /// Listed or retained.
    package func segment(mediaSequence: Int, epoch: Substring) -> LiveSegment? {
        let isMeant = { (segment: LiveSegment) in
            segment.mediaSequence == mediaSequence && segment.epoch == epoch && !segment.isGap
        }
        return listed.last(where: isMeant) ?? retainedSegments.last { isMeant($0.segment) }?.segment
    }

    /// Listed or retained, or a gap in their place.
    func kept(mediaSequence: Int, epoch: String) -> LiveSegment? {
        let isMeant = { (segment: LiveSegment) in segment.mediaSequence == mediaSequence && segment.epoch == epoch }
        return listed.last(where: isMeant) ?? retainedSegments.last { isMeant($0.segment) }?.segment
    }

    /// A finished part, of whatever segment is still kept.
    package func part(mediaSequence: Int, index: Int, epoch: Substring) -> PartialSegment? {
        let parts: [PartialSegment]
        if let openSegment, openSegment.heading.mediaSequence == mediaSequence, openSegment.heading.epoch == epoch {
            parts = openSegment.parts
        } else if let segment = segment(mediaSequence: mediaSequence, epoch: epoch), segment.listsParts {
            parts = segment.parts
        } else {
            return nil
        }
        return parts.indices.contains(index) ? parts[index] : nil
    }

    /// For a track that goes on where this rendition's media ends: its clock, and its newest key frame, with the
    /// parameters that it was encoded with.
    var timescale: Timescale? {
        let newest = openSegment?.parts.last ?? listed.last { !$0.isGap }?.parts.last
        return newest?.decodeTime.timescale
    }

    var newestKeyFrame: (sample: ByteBuffer, configuration: CodecConfiguration)? {
        for segment in listed.reversed() {
            guard let sample = segment.newestKeyFrame,
                let configuration = configuration(epoch: segment.epoch, number: segment.initializationNumber)
            else { continue }
            return (sample, configuration)
        }
        return nil
    }

    /// The publishing epoch that the newest media is from.
    var newestEpoch: String? { openSegment?.heading.epoch ?? listed.last?.epoch }

    /// `nil` while nothing is there.
    package var edge: Edge? {
        if let openSegment {
            return Edge(mediaSequence: openSegment.heading.mediaSequence, part: openSegment.parts.count - 1)
        }
        guard let last = listed.last else { return nil }
        return Edge(mediaSequence: last.mediaSequence, part: last.listsParts ? last.parts.count - 1 : nil)
    }

    /// Of the playlist's first segment, or of the one that will be.
    package var firstMediaSequence: Int { archived.segments.first?.heading.mediaSequence ?? firstMediaSequenceInMemory }

    /// Of the playlist's first segment, in milliseconds since 1970.
    var firstDate: Int64? { archived.segments.first?.heading.programDateTime ?? listed.first?.programDateTime }

    /// Of what memory holds of it.
    var firstMediaSequenceInMemory: Int {
        listed.first?.mediaSequence ?? openSegment?.heading.mediaSequence ?? 0
    }

    /// How many discontinuities stand before that.
    var discontinuitySequenceInMemory: Int {
        discontinuitySequence + archived.segments.count(where: \.heading.isDiscontinuous)
    }

    /// The part that is being built now, as far as that can be foreseen: a segment that is as long as the one before it
    /// ends where that one did.
    ///
    /// - Parameter segmentDuration: seconds that a segment lasts at least.
    func nextPart(segmentDuration: Double) -> LivePartAddress? {
        let (mediaSequence, index): (Int, Int)
        if let open = openSegment {
            let halfFrame = open.duration / Double(max(1, open.parts.reduce(0) { $0 + $1.sampleCount })) / 2
            let isComplete =
                open.parts.last?.isFollowed != true && open.duration >= segmentDuration - halfFrame
                && abs(open.duration - (listed.last?.duration.seconds ?? 0)) < halfFrame
            (mediaSequence, index) =
                isComplete ? (open.heading.mediaSequence + 1, 0) : (open.heading.mediaSequence, open.parts.count)
        } else if let last = listed.last {
            (mediaSequence, index) = (last.mediaSequence + 1, 0)
        } else {
            return nil
        }
        return newestEpoch.map {
            LivePartAddress(rendition: name, epoch: $0, mediaSequence: mediaSequence, index: index)
        }
    }

    package func initializationSection(epoch: Substring, number: Int) -> ByteBuffer? {
        initializationSections.first { $0.epoch == epoch && $0.number == number }?.bytes
    }

    /// The codec parameters that the section was made of.
    func configuration(epoch: String, number: Int) -> CodecConfiguration? {
        initializationSections.first { $0.epoch == epoch && $0.number == number }?.configuration
    }

    func hasInitializationSection(epoch: String) -> Bool { initializationSections.contains { $0.epoch == epoch } }

    /// Over what is listed; `nil` where there is nothing but gaps.
    package func bitRate(targetDuration: Int) -> SegmentBitRate? {
        let own = listed.filter { !$0.isGap && !$0.isBackfilled }
        var media = own.map { (byteCount: $0.byteCount, duration: $0.duration.seconds) }
        // The first playlist of all is asked for before the first segment is complete.
        if media.isEmpty, let openSegment {
            media = [(openSegment.parts.reduce(0) { $0 + $1.byteCount }, openSegment.duration)]
        }
        guard !media.isEmpty else { return nil }
        return SegmentBitRate(segments: media, targetDuration: Double(targetDuration))
    }

    /// Pictures a second over what is listed; `nil` for audio.
    package var frameRate: Double? {
        guard mediaType == .video else { return nil }
        let newest = newestOwnMediaSequence ?? .max
        let own = listed.filter { !$0.isGap && !$0.isBackfilled && $0.mediaSequence <= newest }
        let open = own.isEmpty ? openSegment?.parts ?? [] : []
        let seconds =
            own.reduce(0) { $0 + $1.duration.seconds } + open.reduce(0) { $0 + $1.duration.seconds }
        let count = (own.flatMap(\.parts) + open).reduce(0) { $0 + $1.sampleCount }
        return seconds > 0 ? NominalFrameRate(rounding: Double(count) / seconds)?.value : nil
    }

    var listedSeconds: Double { archived.seconds + listed.reduce(0) { $0 + $1.duration.seconds } }

    /// Bytes of media held.
    package var byteCount: Int {
        (retained + listed).reduce(0) { $0 + $1.byteCount } + (openSegment?.parts.reduce(0) { $0 + $1.byteCount } ?? 0)
    }
}
