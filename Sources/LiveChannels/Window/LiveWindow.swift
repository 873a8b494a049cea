import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
package import Packaging

/// All renditions of a channel: what the playlists are made of.
package struct LiveWindow: Sendable {
    /// Video first, if there is any.
    package private(set) var renditions: [RenditionWindow] = []
    /// What has been announced, as far as it has not left the window.
    var dateRangeList = DateRangeList()
    var dateRanges: [DateRange] { dateRangeList.ranges }
    let configuration: LivePackagingConfiguration
    /// How many windows have ended because a publisher came with another codec; part of the playlists' URIs, so that
    /// those of the window before can end.
    package let codecGeneration: Int
    /// That stay listed; zero where what leaves memory leaves the playlist, too.
    var archivedSeconds: Int
    /// The publishing epoch that adds to it now: what comes next of it can be hinted at.
    private(set) var growingEpoch: String?
    /// The playlists have ended: nothing comes after what is listed.
    package private(set) var hasEnded = false
    /// Every rendition has had something to play at the same time.
    private var hasBeenPlayable = false
    /// Seconds of media that the channel has been sent: the clock that retained segments expire on. Media arrives in
    /// real time; while none arrives, nothing has to go. The leading rendition moves it: others come in bursts.
    private var mediaClock = 0.0
    private var newestMediaSequence = -1
    /// Renditions that the present epoch has not, and that are filled.
    private(set) var standIns: Set<MediaType> = []
    /// On the media clock: when a player was last given a playlist that lists segments.
    private var handedOutAt = -Double.infinity

    /// Seconds.
    package var targetDuration: Int { configuration.targetDuration }

    /// bis §6.2.2: a playlist lasts at least three target durations before anything leaves it.
    static let minimumTargetDurationCount = 3

    package init(configuration: LivePackagingConfiguration, archivedSeconds: Int = 0, codecGeneration: Int = 0) {
        self.configuration = configuration
        self.codecGeneration = codecGeneration
        self.archivedSeconds = archivedSeconds
    }

    /// What viewers of the next push can go back to.
    mutating func restore(_ archive: RestoredArchive) {
        renditions = archive.renditions.compactMap { restored in
            restored.sections.last.map {
                RenditionWindow(restored, configuration: $0.configuration, archivedSeconds: archivedSeconds)
            }
        }
    }

    package func rendition(named name: Substring) -> RenditionWindow? { renditions.first { $0.name == name } }

    /// A player finds something behind each URI of the multivariant playlist: every rendition has its first part.
    /// It stays so when a new publisher brings a rendition more, so that nobody who is watching is sent away.
    package var isPlayable: Bool { hasBeenPlayable && renditions.contains(where: \.hasMedia) }

    package var byteCount: Int { renditions.reduce(0) { $0 + $1.byteCount } }

    /// Of the longest playlist, with what lies on disk.
    var listedSeconds: Double { renditions.map(\.listedSeconds).max() ?? 0 }

    var firstMediaSequences: FirstMediaSequences {
        renditions.reduce(into: FirstMediaSequences()) { $0[$1.mediaType] = $1.firstMediaSequence }
    }

    // MARK: Growing

    /// - Parameter standIns: what is filled from now on.
    mutating func begin(standIns: Set<MediaType>) { self.standIns = standIns }

    mutating func end(standIns ended: Set<MediaType>) { standIns.subtract(ended) }

    private mutating func noteOwnMedia(_ mediaType: MediaType, _ mediaSequence: Int) {
        if !standIns.contains(mediaType) { update(mediaType) { $0.noteOwnMedia(mediaSequence) } }
    }

    /// - Parameter discontinuitySequence: of the channel so far, for a rendition that it did not have.
    mutating func add(
        initializationSection: ByteBuffer, configuration: CodecConfiguration, epoch: String, number: Int,
        discontinuitySequence: Int
    ) {
        let mediaType = configuration.mediaType
        if !renditions.contains(where: { $0.mediaType == mediaType }) {
            renditions.append(
                RenditionWindow(
                    mediaType: mediaType, configuration: configuration, discontinuitySequence: discontinuitySequence))
            renditions.sort { $0.mediaType == .video && $1.mediaType != .video }
        }
        update(mediaType) {
            $0.configuration = configuration
            $0.add(initializationSection: initializationSection, epoch: epoch, number: number)
        }
    }

    mutating func append(_ part: PartialSegment, of heading: LiveSegmentHeading, to mediaType: MediaType) {
        growingEpoch = heading.epoch
        update(mediaType) { $0.append(part, of: heading) }
        noteOwnMedia(mediaType, heading.mediaSequence)
        notePlayable()
    }

    /// A player knows of what is listed now, and may fetch it for a while after it has left the playlist. Where nobody
    /// watches, that while need not be kept in memory.
    mutating func noteHandedOut() { handedOutAt = mediaClock }

    /// Nobody is shown old pictures any more, but whoever watches the next push can go back to them.
    mutating func park() {
        hasBeenPlayable = false
        for index in renditions.indices { renditions[index].park() }
    }

    /// The push has ended: nothing is known of what comes next.
    mutating func stopGrowing() { growingEpoch = nil }

    /// EXT-X-ENDLIST, for good: a push that comes later has a window of its own.
    mutating func end() {
        growingEpoch = nil
        hasEnded = true
    }

    private mutating func notePlayable() {
        if renditions.allSatisfy({ $0.edge != nil }) { hasBeenPlayable = true }
    }

    /// - Parameter placement: where the archive has it, or will have.
    mutating func append(_ segment: LiveSegment, to mediaType: MediaType, placement: ArchivePlacement? = nil) {
        let minimumCount = configuration.minimumSegmentCount
        let minimumDuration = Double(configuration.targetDuration * Self.minimumTargetDurationCount)
        if segment.mediaSequence > newestMediaSequence {
            newestMediaSequence = segment.mediaSequence
            mediaClock += segment.duration.seconds
        }
        let (mediaClock, handedOutAt, archivedSeconds) = (mediaClock, handedOutAt, Double(archivedSeconds))
        update(mediaType) {
            $0.append(
                segment, minimumCount: minimumCount, minimumDuration: minimumDuration, mediaClock: mediaClock,
                handedOutAt: handedOutAt, archivedSeconds: archivedSeconds, placement: placement)
        }
        if !segment.isGap { noteOwnMedia(mediaType, segment.mediaSequence) }
        growingEpoch = segment.epoch
        notePlayable()
        dropDateRanges()
    }

    /// Renditions that the present epoch neither has nor fills: a gap for each of its segments, until nothing but gaps is
    /// left, on the playlist or off it.
    ///
    /// - Parameter segment: of the epoch's leading rendition.
    mutating func appendGaps(for segment: LiveSegment, exceptFor present: Set<MediaType>) {
        for mediaType in renditions.map(\.mediaType) where !present.contains(mediaType) {
            append(
                LiveSegment(heading: segment.heading, parts: [], duration: segment.duration, listsParts: false),
                to: mediaType)
        }
        renditions.removeAll { !present.contains($0.mediaType) && $0.hasNoMedia }
    }

    mutating func backfill(_ mediaType: MediaType, _ segments: [LiveSegment], discontinuitySequence: Int) {
        let mediaClock = mediaClock
        update(mediaType) {
            $0.backfill(segments, discontinuitySequence: discontinuitySequence, mediaClock: mediaClock)
        }
    }

    private mutating func update(_ mediaType: MediaType, _ change: (inout RenditionWindow) -> Void) {
        guard let index = renditions.firstIndex(where: { $0.mediaType == mediaType }) else { return }
        change(&renditions[index])
    }
}

/// Where the renditions' playlists begin; zero for one that is not there.
struct FirstMediaSequences: Sendable, Hashable {
    var video = 0
    var audio = 0

    subscript(mediaType: MediaType) -> Int {
        get { mediaType == .video ? video : audio }
        set { if mediaType == .video { video = newValue } else { audio = newValue } }
    }

    /// Of each the later one: a playlist never begins earlier than before.
    func later(_ other: FirstMediaSequences) -> FirstMediaSequences {
        FirstMediaSequences(video: max(video, other.video), audio: max(audio, other.audio))
    }
}
