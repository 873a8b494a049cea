package import Codecs
import HLSPlaylist
package import MediaCore
package import NIOCore
package import Packaging

/// One rendition of a channel for viewers: the segments that its playlist lists, those that have just left it, and the
/// parts of the segment that is being built.
package struct RenditionWindow: Sendable {
    package let id: RenditionID
    package internal(set) var configuration: CodecConfiguration
    /// The listed segments in memory, oldest first.
    package private(set) var listed: [LiveSegment] = []
    /// One listing for each of the listed segments.
    private var listings: [Listing] = []
    /// Segments that are off the playlist but still fetchable, oldest first.
    private var retainedSegments: [RetainedSegment] = []
    /// The segments listed before those in memory, which are read from the disk.
    package private(set) var archived = ArchivedWindow()
    /// The segment that is being built, once it has a finished part.
    package private(set) var openSegment: OpenLiveSegment?
    /// The part at which the playlist hints; `nil` if it is not known what comes next.
    package internal(set) var nextPart: LivePartAddress?
    /// The number of discontinuities that have left the playlist.
    package private(set) var discontinuitySequence: Int
    /// The media sequence number of the newest segment that came from a publisher or from the slate, rather than from a
    /// stand-in.
    private(set) var newestOwnMediaSequence: Int?
    /// The beginnings of the times without a discontinuity that are listed, oldest first.
    private(set) var origins: [TimelineOrigin] = []
    /// The rates before the rendition was suspended: nothing can be measured while it is.
    private var remembered: (bitRate: SegmentBitRate, frameRate: Double?)?
    /// The initialization sections that listed and retained segments need.
    private var initializationSections: [InitializationSection] = []

    /// The part of a segment that is being built and that players may know of.
    package struct OpenLiveSegment: Sendable {
        package var header: LiveSegmentHeader
        package var parts: [PartialSegment]

        package var duration: Double { parts.reduce(0) { $0 + $1.duration.seconds } }
    }

    /// The end of a playlist: the last part of the open segment, or of the last listed segment.
    package struct Edge: Sendable, Hashable {
        package var mediaSequence: Int
        /// `nil` if the segment lists no parts.
        package var part: Int?
    }

    private struct Listing: Sendable {
        /// Duration of the playlist in seconds when the segment was its newest.
        var playlistSeconds: Double
        /// The time on the window's media clock, in seconds, at which the segment was first listed.
        var since: Double
        var placement: ArchivePlacement?
    }

    private struct RetainedSegment: Sendable {
        var segment: LiveSegment
        /// The time on the window's media clock, in seconds, at which the segment expires.
        var expiry: Double
    }

    /// Limit on listed segments, and on retained ones. An encoder comes nowhere near it; a publisher whose segments are
    /// extremely short would otherwise fill the memory before they last three target durations.
    static let maximumListedCount = 512

    private struct InitializationSection: Sendable {
        var epoch: String
        var number: Int
        var bytes: ByteBuffer
        var configuration: CodecConfiguration
    }

    init(_ id: RenditionID, configuration: CodecConfiguration, discontinuitySequence: Int) {
        self.id = id
        self.configuration = configuration
        self.discontinuitySequence = discontinuitySequence
    }

    /// Restores a rendition from the previous server: everything is in the archive, and nothing in memory.
    ///
    /// - Parameter origins: the beginnings that are known of that time.
    init(
        _ restored: RestoredArchive.Rendition, configuration: CodecConfiguration, archivedSeconds: Int,
        origins known: [TimelineOrigin]
    ) {
        self.init(
            restored.id, configuration: configuration,
            discontinuitySequence: restored.discontinuitySequence)
        archived = ArchivedWindow(restored, windowSeconds: archivedSeconds)
        newestOwnMediaSequence = restored.segments.last { !$0.isGap }?.header.mediaSequence
        for segment in restored.segments {
            noteOrigin(of: segment.header, at: segment.presentationStart, known: known)
        }
        initializationSections = restored.sections.map {
            InitializationSection(
                epoch: $0.epoch, number: $0.number, bytes: $0.bytes, configuration: $0.configuration)
        }
    }

    package var mediaType: MediaType { id.mediaType }
    /// The name in URLs: `video`, `audio`.
    package var name: String { id.name }

    /// The segments that are off the playlist but still fetchable (rfc8216bis §6.2.2), oldest first.
    package var retained: [LiveSegment] { retainedSegments.map(\.segment) }

    /// True if the playlist lists a segment with media.
    package var listsMedia: Bool { !listed.allSatisfy(\.isGap) }

    /// True if the playlist lists a segment with media, or a part is finished.
    package var hasMedia: Bool { listsMedia || openSegment != nil }

    /// True if the playlist has media that is not a stand-in's, in memory or on disk.
    var ownsMedia: Bool { newestOwnMediaSequence.map { $0 >= firstMediaSequence } ?? false }

    /// True if memory has media that is not a stand-in's, or a part of it.
    var ownsMediaInMemory: Bool { newestOwnMediaSequence.map { $0 >= firstMediaSequenceInMemory } ?? false }

    /// True if new players see the rendition in the multivariant playlist.
    var isOffered: Bool { hasMedia && ownsMedia }

    /// True if all segments of the playlist, the open one included, can be decoded without others.
    var isIndependent: Bool {
        archived.isIndependent && listed.allSatisfy(\.isIndependent) && openSegment?.parts.isIndependent ?? true
    }

    /// True if only gaps are listed and nothing else is kept, so that the rendition can be removed.
    var hasNoMedia: Bool {
        !hasMedia && archived.hasNoMedia && retainedSegments.allSatisfy { $0.segment.isGap }
    }

    // MARK: Growing and shrinking

    mutating func noteOwnMedia(_ mediaSequence: Int) { newestOwnMediaSequence = mediaSequence }

    /// - Parameters:
    ///   - start: the time at which the segment's first frame is presented; `nil` for a gap.
    ///   - known: beginnings of earlier media, of which the segment may be a continuation.
    private mutating func noteOrigin(
        of header: LiveSegmentHeader, at start: MediaTime?, known: [TimelineOrigin] = []
    ) {
        guard let start else {
            if origins.last?.isOpen == true { origins[origins.count - 1].isOpen = false }
            return
        }
        if let last = origins.last, last.isOpen, last.continues(with: header) { return }
        let earlier = known.last {
            $0.header.mediaSequence <= header.mediaSequence && $0.continues(with: header)
        }
        if let earlier, earlier.header.mediaSequence > origins.last?.header.mediaSequence ?? -1 {
            origins.append(earlier)
        } else {
            origins.append(TimelineOrigin(header, start: start))
        }
    }

    private mutating func dropOrigins() {
        let first = firstMediaSequence
        let leaving = max(0, origins.prefix { $0.header.mediaSequence <= first }.count - 1)
        origins.removeFirst(leaving)
    }

    mutating func append(_ part: PartialSegment, of header: LiveSegmentHeader) {
        noteOrigin(of: header, at: part.presentationStart)
        if openSegment?.header.mediaSequence == header.mediaSequence {
            openSegment?.parts.append(part)
        } else {
            openSegment = OpenLiveSegment(header: header, parts: [part])
        }
        // It has come.
        if let nextPart, nextPart.mediaSequence == header.mediaSequence, nextPart.epoch == header.epoch,
            nextPart.index == (openSegment?.parts.count ?? 0) - 1
        {
            self.nextPart = nil
        }
    }

    /// Adds a finished segment. ``LiveWindow`` decides what leaves for it, because all renditions begin with the same
    /// segment.
    ///
    /// - Parameters:
    ///   - mediaClock: seconds of media that the channel has published so far, including `segment`.
    ///   - placement: the place of the segment in the archive; `nil` if the archive does not have it.
    mutating func append(_ segment: LiveSegment, mediaClock: Double, placement: ArchivePlacement?) {
        openSegment = nil
        noteOrigin(of: segment.header, at: segment.presentationStart)
        if segment.header.isSuspended { remember() } else { remembered = nil }
        listed.append(segment)
        listings.append(Listing(playlistSeconds: secondsInMemory, since: mediaClock, placement: placement))
    }

    /// The media sequence number of the first segment that has to stay in memory; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - minimumCount: the minimum number of listed segments.
    ///   - minimumDuration: the minimum duration of the playlist in seconds (three target durations, rfc8216bis
    ///     §6.2.2).
    func firstNeededInMemory(minimumCount: Int, minimumDuration: Double) -> Int? {
        var rest = secondsInMemory
        var count = listed.count
        for segment in listed {
            rest -= segment.duration.seconds
            guard count > minimumCount, rest >= minimumDuration else { return segment.mediaSequence }
            count -= 1
        }
        return nil
    }

    /// The media sequence number of the first segment for which there is room in memory; `nil` if there is none.
    var firstAllowedInMemory: Int? { listed.suffix(Self.maximumListedCount).first?.mediaSequence }

    /// Drops segments from memory, to the archive if there is one.
    ///
    /// - Parameters:
    ///   - first: the media sequence number of the first segment that stays.
    ///   - mediaClock: seconds of media that the channel has published so far.
    ///   - handedOutAt: the time on that clock at which a playlist was last handed out. No player knows a segment that
    ///     was in none.
    ///   - isArchived: whether segments stay listed when they leave memory.
    mutating func shrink(to first: Int, mediaClock: Double, handedOutAt: Double, toArchive isArchived: Bool) {
        // The longest of the playlists that listed the leaving segments. These stay for their duration once more,
        // because the media clock runs ahead when a push takes over.
        let longestSeconds = listings.map(\.playlistSeconds).max() ?? 0
        let leavingCount = listed.prefix { $0.mediaSequence < first }.count
        for (segment, listing) in zip(listed.prefix(leavingCount), listings.prefix(leavingCount)) {
            leave(segment, listing, toArchive: isArchived)
            guard listing.since <= handedOutAt else { continue }
            retainedSegments.append(
                RetainedSegment(segment: segment, expiry: mediaClock + 2 * segment.duration.seconds + longestSeconds))
        }
        listed.removeFirst(leavingCount)
        listings.removeFirst(leavingCount)
    }

    /// Drops segments of the archive from the playlist, and everything that nobody can ask for any more.
    ///
    /// - Parameters:
    ///   - first: the media sequence number of the first segment that stays.
    ///   - mediaClock: seconds of media that the channel has published so far.
    ///   - handedOutAt: the time on that clock at which a playlist was last handed out.
    mutating func shrinkArchive(to first: Int, mediaClock: Double, handedOutAt: Double) {
        discontinuitySequence += archived.shrink(to: first, mediaClock: mediaClock, handedOutAt: handedOutAt)
        dropOrigins()
        dropExpired(mediaClock: mediaClock)
    }

    /// The media sequence number of the first segment that has to stay listed; `nil` if there is none.
    ///
    /// - Parameter seconds: the maximum duration of the whole playlist.
    mutating func firstNeeded(toSeconds seconds: Double) -> Int? {
        archived.prepareToShrink(listedSeconds: secondsInMemory, rendition: name)
        return archived.firstNeeded(toSeconds: seconds, listedSeconds: secondsInMemory) ?? listed.first?.mediaSequence
    }

    /// The duration of the playlist from a media sequence number on, in seconds.
    func seconds(from first: Int) -> Double {
        archived.segments.reduce(0) { $0 + ($1.header.mediaSequence >= first ? $1.duration : 0) }
            + listed.reduce(0) { $0 + ($1.mediaSequence >= first ? $1.duration.seconds : 0) }
    }

    private var secondsInMemory: Double { listed.reduce(0) { $0 + $1.duration.seconds } }

    /// Lists segments for the time before the rendition's first media if it lists nothing, and otherwise in place of
    /// gaps: nobody has asked for the rendition lately then. A rendition with segments on disk does not change.
    ///
    /// - Parameters:
    ///   - segments: the segments, oldest first, with consecutive media sequence numbers.
    ///   - gaps: what is listed before them if the rendition lists nothing.
    ///   - discontinuitySequence: the discontinuity sequence number of the playlist that begins with the first of all.
    ///   - mediaClock: see ``append(_:mediaClock:placement:)``.
    ///   - staysListed: whether the segments stay listed, in memory, when they leave the end of the playlist.
    mutating func backfill(
        _ segments: [LiveSegment], after gaps: [ArchivedSegment], discontinuitySequence: Int, mediaClock: Double,
        staysListed: Bool
    ) {
        // What is on disk cannot be changed, and what a playlist has listed with media may not become a gap there.
        guard archived.segments.isEmpty else { return }
        guard listed.isEmpty else {
            let byNumber = Dictionary(segments.map { ($0.mediaSequence, $0) }, uniquingKeysWith: { first, _ in first })
            for index in listed.indices where listed[index].isGap {
                if let segment = byNumber[listed[index].mediaSequence] { listed[index] = segment }
            }
            return
        }
        self.discontinuitySequence = discontinuitySequence
        for gap in gaps { archived.append(gap) }
        listed = segments
        for segment in segments { noteOrigin(of: segment.header, at: segment.presentationStart) }
        var seconds = 0.0
        listings = segments.map { segment in
            seconds += segment.duration.seconds
            return Listing(
                playlistSeconds: seconds, since: mediaClock,
                placement: staysListed ? ArchivePlacement(.kept(segment)) : nil)
        }
    }

    /// Lists a segment that leaves memory as one of the archive, or drops it from the playlist. Before the archive's
    /// first one, segments that are not on disk leave the playlist: they are gaps, or were published before the time
    /// shift was configured.
    private mutating func leave(_ segment: LiveSegment, _ listing: Listing, toArchive isArchived: Bool) {
        if isArchived, listing.placement != nil || !archived.segments.isEmpty {
            archived.append(
                ArchivedSegment(segment, rendition: name, placement: listing.placement, since: listing.since))
        } else if segment.isDiscontinuous {
            discontinuitySequence += 1
        }
    }

    /// Leaves the past to the archive and removes everything from memory. Nothing is left out for the sake of other
    /// renditions, because nothing is kept beside the archive.
    mutating func park() {
        for (segment, listing) in zip(listed, listings) { leave(segment, listing, toArchive: true) }
        listed = []
        listings = []
        retainedSegments = []
        openSegment = nil
    }

    /// Drops expired segments. A segment that left stays for its own duration and that of the longest playlist that
    /// listed it (rfc8216bis §6.2.2).
    private mutating func dropExpired(mediaClock: Double) {
        while let first = retainedSegments.first,
            first.expiry <= mediaClock || retainedSegments.count > Self.maximumListedCount
        {
            retainedSegments.removeFirst()
        }
        let needed = Set((retained + listed).map { "\($0.epoch)/\($0.initializationNumber)" })
        guard let newest = initializationSections.last else { return }
        // The sections of archived segments are in order, so those from the oldest one on are needed.
        let oldest = archived.oldest?.header
        var isArchived = false
        initializationSections.removeAll { section in
            if section.epoch == oldest?.epoch, section.number == oldest?.initializationNumber { isArchived = true }
            return !isArchived && !needed.contains("\(section.epoch)/\(section.number)")
                && (section.epoch, section.number) != (newest.epoch, newest.number)
        }
    }

    mutating func add(initializationSection bytes: ByteBuffer, epoch: String, number: Int) {
        initializationSections.append(
            InitializationSection(epoch: epoch, number: number, bytes: bytes, configuration: configuration))
    }

    // MARK: Looking up

    /// A listed or retained segment that is not a gap; `nil` if there is none.
    package func segment(mediaSequence: Int, epoch: Substring) -> LiveSegment? {
        let isMeant = { (segment: LiveSegment) in
            segment.mediaSequence == mediaSequence && segment.epoch == epoch && !segment.isGap
        }
        return listed.last(where: isMeant) ?? retainedSegments.last { isMeant($0.segment) }?.segment
    }

    /// A listed or retained segment, or a gap in its place; `nil` if there is none.
    func kept(mediaSequence: Int, epoch: String) -> LiveSegment? {
        let isMeant = { (segment: LiveSegment) in segment.mediaSequence == mediaSequence && segment.epoch == epoch }
        return listed.last(where: isMeant) ?? retainedSegments.last { isMeant($0.segment) }?.segment
    }

    /// True if the listed or retained segment was made for the time before the rendition appeared.
    func isBackfilled(mediaSequence: Int) -> Bool {
        (listed + retained).contains { $0.mediaSequence == mediaSequence && $0.isBackfilled }
    }

    /// A finished part of a segment that is still kept; `nil` if there is none.
    package func part(mediaSequence: Int, index: Int, epoch: Substring) -> PartialSegment? {
        let parts: [PartialSegment]
        if let openSegment, openSegment.header.mediaSequence == mediaSequence, openSegment.header.epoch == epoch {
            parts = openSegment.parts
        } else if let segment = segment(mediaSequence: mediaSequence, epoch: epoch), segment.listsParts {
            parts = segment.parts
        } else {
            return nil
        }
        return parts.indices.contains(index) ? parts[index] : nil
    }

    /// The timescale of the newest media, for a track that continues this rendition; `nil` if there is no media.
    var timescale: Timescale? {
        let newest = openSegment?.parts.last ?? listed.last { !$0.isGap }?.parts.last
        return newest?.decodeTime.timescale
    }

    /// The newest key frame, with the parameters with which it was encoded; `nil` if there is none.
    var newestKeyFrame: (sample: ByteBuffer, configuration: CodecConfiguration)? {
        for segment in listed.reversed() {
            guard let sample = segment.newestKeyFrame,
                let configuration = configuration(epoch: segment.epoch, number: segment.initializationNumber)
            else { continue }
            return (sample, configuration)
        }
        return nil
    }

    /// The media sequence number of the last listed segment; `nil` if none is listed.
    var newestMediaSequence: Int? {
        listed.last?.mediaSequence ?? archived.segments.last?.header.mediaSequence
    }

    /// The publishing epoch of the newest media.
    var newestEpoch: String? { openSegment?.header.epoch ?? listed.last?.epoch }

    /// The end of the playlist; `nil` while it is empty.
    package var edge: Edge? {
        if let openSegment {
            return Edge(mediaSequence: openSegment.header.mediaSequence, part: openSegment.parts.count - 1)
        }
        guard let last = listed.last else { return nil }
        return Edge(mediaSequence: last.mediaSequence, part: last.listsParts ? last.parts.count - 1 : nil)
    }

    /// The media sequence number of the playlist's first segment, or of the one that will be the first.
    package var firstMediaSequence: Int { archived.segments.first?.header.mediaSequence ?? firstMediaSequenceInMemory }

    /// The date of the playlist's first segment.
    var firstDate: WallClockTime? { archived.segments.first?.header.programDateTime ?? listed.first?.programDateTime }

    /// The media sequence number of the first segment in memory.
    var firstMediaSequenceInMemory: Int {
        listed.first?.mediaSequence ?? openSegment?.header.mediaSequence ?? 0
    }

    /// The number of discontinuities before the first segment in memory.
    var discontinuitySequenceInMemory: Int {
        discontinuitySequence + archived.segments.count(where: \.header.isDiscontinuous)
    }

    /// The initialization section with that number; `nil` if it is not kept.
    package func initializationSection(epoch: Substring, number: Int) -> ByteBuffer? {
        initializationSections.first { $0.epoch == epoch && $0.number == number }?.bytes
    }

    /// The codec parameters from which the section was made.
    func configuration(epoch: String, number: Int) -> CodecConfiguration? {
        initializationSections.first { $0.epoch == epoch && $0.number == number }?.configuration
    }

    func hasInitializationSection(epoch: String) -> Bool { initializationSections.contains { $0.epoch == epoch } }

    /// The bit rate of the listed segments, on disk and in memory, except backfilled ones; `nil` if there is no media.
    package func bitRate(targetDuration: Int) -> SegmentBitRate? {
        if let remembered { return remembered.bitRate }
        let own = listed.filter { !$0.isGap && !$0.isBackfilled && !$0.header.isSuspended }
        var media =
            archived.segments.compactMap { segment in
                segment.isGap ? nil : (byteCount: segment.byteCount, duration: segment.duration)
            } + own.map { (byteCount: $0.byteCount, duration: $0.duration.seconds) }
        // The very first playlist is requested before the first segment is complete.
        if media.isEmpty, let openSegment {
            media = [(openSegment.parts.reduce(0) { $0 + $1.byteCount }, openSegment.duration)]
        }
        guard !media.isEmpty else { return nil }
        return SegmentBitRate(segments: media, targetDuration: Double(targetDuration))
    }

    private mutating func remember() {
        guard remembered == nil else { return }
        // Stills are in the last segment, too.
        var whole = self
        if whole.listed.count > 1 { whole.listed.removeLast() }
        guard let rate = whole.bitRate(targetDuration: Self.rememberedTargetDuration) else { return }
        remembered = (rate, whole.frameRate)
    }

    /// The target duration in seconds over which a peak is remembered, as most channels have it.
    private static let rememberedTargetDuration = 6

    /// Frames per second of the listed segments that came from a publisher; `nil` for audio.
    package var frameRate: Double? {
        guard mediaType == .video else { return nil }
        if let remembered { return remembered.frameRate }
        let newest = newestOwnMediaSequence ?? .max
        let own = listed.filter {
            !$0.isGap && !$0.isBackfilled && !$0.header.isSuspended && $0.mediaSequence <= newest
        }
        let open = own.isEmpty ? openSegment?.parts ?? [] : []
        let seconds =
            own.reduce(0) { $0 + $1.duration.seconds } + open.reduce(0) { $0 + $1.duration.seconds }
        let count = (own.flatMap(\.parts) + open).reduce(0) { $0 + $1.sampleCount }
        return seconds > 0 ? NominalFrameRate(rounding: Double(count) / seconds)?.value : nil
    }

    var listedSeconds: Double { archived.seconds + listed.reduce(0) { $0 + $1.duration.seconds } }

    /// Bytes of media in memory.
    package var byteCount: Int {
        (retained + listed).reduce(0) { $0 + $1.byteCount } + (openSegment?.parts.reduce(0) { $0 + $1.byteCount } ?? 0)
    }
}
