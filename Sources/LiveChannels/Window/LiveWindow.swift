import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
package import Packaging

/// All renditions of a channel, from which its playlists are rendered.
package struct LiveWindow: Sendable {
    /// The renditions, video first if there is any.
    package private(set) var renditions: [RenditionWindow] = []
    /// The announced date ranges that have not left the window.
    var dateRangeList = DateRangeList()
    var dateRanges: [DateRange] { dateRangeList.ranges }
    /// The services of closed captions that the frames of the push carry.
    var captions: ClosedCaptions = []
    let configuration: LivePackagingConfiguration
    /// The number of windows that have ended because a publisher came with another codec. It is part of the playlists'
    /// URIs, so that those of the previous window can end.
    package let codecGeneration: Int
    /// Seconds that stay listed on disk; zero if segments that leave memory leave the playlist, too.
    var archivedSeconds: Int
    /// The date from which the manifests' times count: that of the first segment of all that a player may have seen
    /// without a longer break. It stays the same across pushes and restarts; `nil` before the first segment.
    var presentationStart: WallClockTime?
    /// The publishing epoch that adds media now, whose next part can be hinted at; `nil` if there is none.
    private(set) var growingEpoch: String?
    /// True if the playlists have ended: nothing follows what is listed.
    package private(set) var hasEnded = false
    /// True if all renditions have had media at the same time.
    private var hasBeenPlayable = false
    /// Seconds of media that the channel has published: the clock by which retained segments expire. Media arrives in
    /// real time, and while none arrives, nothing has to expire. The leading rendition advances it, because others
    /// arrive in bursts.
    private var mediaClock = 0.0
    private var newestMediaSequence = -1
    /// The qualities of a ladder for which the first viewers wait.
    private var awaitedRungs: Set<RenditionID> = []
    /// The qualities of a ladder that new viewers are not offered, because they are not encoded.
    private var withheldRungs: Set<RenditionID> = []
    /// Renditions that the current epoch does not have, and that are filled.
    private(set) var standIns: Set<RenditionID> = []
    /// The time on the media clock at which a player was last given a playlist that lists segments.
    private var handedOutAt = -Double.infinity

    /// The target duration in seconds.
    package var targetDuration: Int { configuration.targetDuration }

    /// Target durations that a playlist lasts at least before any segment leaves it (rfc8216bis §6.2.2).
    static let minimumTargetDurationCount = 3

    /// Creates an empty window.
    ///
    /// - Parameters:
    ///   - configuration: How segments and playlists are made.
    ///   - archivedSeconds: The seconds of time shift that playlists offer besides what is in memory.
    ///   - codecGeneration: The number of times that the channel's codecs changed, which is part of the playlists'
    ///     URIs.
    package init(configuration: LivePackagingConfiguration, archivedSeconds: Int = 0, codecGeneration: Int = 0) {
        self.configuration = configuration
        self.codecGeneration = codecGeneration
        self.archivedSeconds = archivedSeconds
    }

    /// Restores the time shift that viewers of the next push can use.
    ///
    /// - Parameters:
    ///   - archive: the media on the disk.
    ///   - origins: the beginnings that the previous server has kept.
    mutating func restore(_ archive: RestoredArchive, origins: [SavedOrigin]) {
        renditions = archive.renditions.compactMap { restored in
            restored.sections.last.map {
                RenditionWindow(
                    restored, configuration: $0.configuration, archivedSeconds: archivedSeconds,
                    origins: origins.filter { $0.rendition == restored.id.name }.compactMap(TimelineOrigin.init))
            }
        }
        alignRestored()
    }

    /// Drops the first segments of renditions that begin a little earlier than others. Former versions trimmed
    /// renditions apart, and the last row that one of them listed may be lost. A rendition that begins much later came
    /// later, and a playlist that would become too short stays as it is.
    private mutating func alignRestored() {
        let firsts = renditions.map(\.firstMediaSequence)
        guard let earliest = firsts.min(), let latest = firsts.max(), earliest < latest,
            latest - earliest <= Self.maximumRestoredDistance,
            renditions.allSatisfy({ $0.seconds(from: latest) >= minimumDuration })
        else { return }
        for index in renditions.indices {
            renditions[index].shrinkArchive(to: latest, mediaClock: mediaClock, handedOutAt: .infinity)
        }
    }

    /// The minimum duration of a playlist in seconds (rfc8216bis §6.2.2).
    private var minimumDuration: Double { Double(configuration.targetDuration * Self.minimumTargetDurationCount) }

    /// Limit on the segments by which the beginnings of restored renditions are brought together.
    private static let maximumRestoredDistance = 2

    /// The rendition with a name; `nil` if the channel does not have it.
    package func rendition(named name: Substring) -> RenditionWindow? {
        index(ofRenditionNamed: name).map { renditions[$0] }
    }

    /// The index of a rendition in ``renditions``; `nil` if the channel does not have it. Used for each request,
    /// because a copy of a rendition retains all that the rendition has.
    func index(ofRenditionNamed name: Substring) -> Int? { renditions.indices.first { renditions[$0].name == name } }

    /// True if every rendition has its first part, so that a player finds something at each URI of the multivariant
    /// playlist. It stays true when a new publisher adds a rendition, so that current viewers are not turned away.
    package var isPlayable: Bool { hasBeenPlayable && renditions.indices.contains { renditions[$0].hasMedia } }

    package var byteCount: Int { renditions.reduce(0) { $0 + $1.byteCount } }

    /// The beginnings of the listed times without a discontinuity, the newest of each rendition at least.
    var savedOrigins: [SavedOrigin] {
        let share = max(1, SavedOrigin.maximumCount / max(1, renditions.count))
        return renditions.flatMap { rendition in rendition.origins.suffix(share).map { $0.saved(rendition.name) } }
    }

    /// The date of the first segment; `nil` while nothing is listed.
    var firstDate: WallClockTime? { renditions.compactMap(\.firstDate).min() }

    /// Duration of the longest playlist in seconds, including what is on disk.
    var listedSeconds: Double { renditions.map(\.listedSeconds).max() ?? 0 }

    var firstMediaSequences: FirstMediaSequences {
        renditions.filter(\.id.isMain).reduce(into: FirstMediaSequences()) { $0[$1.mediaType] = $1.firstMediaSequence }
    }

    /// The timescales of the audio renditions that have media.
    var audioTimescales: [RenditionID: Timescale] {
        renditions.reduce(into: [:]) { if $1.mediaType == .audio { $0[$1.id] = $1.timescale } }
    }

    // MARK: Growing

    /// Sets the renditions that are filled from now on.
    ///
    mutating func begin(standIns: Set<RenditionID>) { self.standIns = standIns }

    mutating func end(standIns ended: Set<RenditionID>) {
        standIns.subtract(ended)
        for id in ended { update(id) { $0.nextPart = nil } }
    }

    /// Sets the part that comes next, at which the playlist hints; `nil` if it is not known.
    mutating func setNextPart(_ position: LivePartPosition?, of id: RenditionID, epoch: String) {
        update(id) { rendition in
            rendition.nextPart = position.map {
                LivePartAddress(
                    rendition: rendition.name, epoch: epoch, mediaSequence: $0.mediaSequence, index: $0.index)
            }
        }
    }

    private mutating func noteOwnMedia(_ id: RenditionID, _ mediaSequence: Int) {
        if !standIns.contains(id) { update(id) { $0.noteOwnMedia(mediaSequence) } }
    }

    /// - Parameter discontinuitySequence: the number of the channel's discontinuities so far, used for a new rendition.
    mutating func add(
        initializationSection: ByteBuffer, configuration: CodecConfiguration, of id: RenditionID, epoch: String,
        number: Int, discontinuitySequence: Int
    ) {
        if !renditions.contains(where: { $0.id == id }) {
            renditions.append(
                RenditionWindow(id, configuration: configuration, discontinuitySequence: discontinuitySequence))
            renditions.sort { $0.id < $1.id }
        }
        update(id) {
            $0.configuration = configuration
            $0.add(initializationSection: initializationSection, epoch: epoch, number: number)
        }
    }

    mutating func append(_ part: PartialSegment, of header: LiveSegmentHeader, to id: RenditionID) {
        growingEpoch = header.epoch
        presentationStart = presentationStart ?? header.programDateTime
        update(id) { $0.append(part, of: header) }
        awaitedRungs.remove(id)
        noteOwnMedia(id, header.mediaSequence)
        notePlayable()
    }

    /// Notes that a player knows what is listed now, and may fetch it for a while after it has left the playlist. If
    /// nobody watches, segments need not be retained.
    mutating func noteHandedOut() { handedOutAt = mediaClock }

    /// Hides old media from new viewers, but leaves it to the time shift of the next push.
    mutating func park() {
        hasBeenPlayable = false
        for index in renditions.indices { renditions[index].park() }
    }

    /// Notes that the push has ended, so that nothing is known of the next media.
    mutating func stopGrowing() { growingEpoch = nil }

    /// Ends the playlists for good (EXT-X-ENDLIST): a later push has a window of its own.
    mutating func end() {
        growingEpoch = nil
        hasEnded = true
    }

    private mutating func notePlayable() {
        let sent = renditions.filter { !$0.id.isRung }
        if let leading = sent.first, leading.listsMedia || leading.openSegment?.duration ?? 0 >= Self.maximumRungWait {
            awaitedRungs = []
        }
        if sent.allSatisfy({ $0.edge != nil }), awaitedRungs.isEmpty { hasBeenPlayable = true }
    }

    // MARK: Lower qualities

    /// Seconds of media after which the first viewers wait no longer for the qualities of a ladder.
    private static let maximumRungWait = 0.9

    /// Notes the qualities of a ladder that begin now. Players load the multivariant playlist once, so the first ones
    /// wait until it lists them.
    mutating func awaitRungs(_ rungs: [RenditionID]) {
        awaitedRungs = Set(rungs)
        withheldRungs = []
    }

    /// Notes whether new viewers are offered a quality.
    mutating func setOffered(_ isOffered: Bool, rung id: RenditionID) {
        awaitedRungs.remove(id)
        if isOffered { withheldRungs.remove(id) } else { withheldRungs.insert(id) }
    }

    /// Whether new viewers see the rendition in the multivariant playlist.
    func offers(_ rendition: RenditionWindow) -> Bool {
        rendition.isOffered && !withheldRungs.contains(rendition.id)
    }

    /// The videos that new viewers are offered: what was sent first, then the others, the largest first. The one with
    /// the scoreboard is offered alone, to those who ask for it while it is made.
    func offeredVideos(_ form: LivePlaylistForm) -> (haveScoreboard: Bool, videos: [RenditionWindow]) {
        let all = renditions.filter { $0.mediaType == .video && offers($0) }
        if form == .withScoreboard, let drawn = all.first(where: { $0.id == .scoreboard }) { return (true, [drawn]) }
        let offered = all.filter { $0.id != .scoreboard }
        func rate(_ rendition: RenditionWindow) -> Int {
            rendition.bitRate(targetDuration: targetDuration)?.average ?? 0
        }
        let rungs = offered.filter(\.id.isRung).map { (rendition: $0, rate: rate($0)) }
        return (false, offered.filter { !$0.id.isRung } + rungs.sorted { $0.rate > $1.rate }.map(\.rendition))
    }

    /// - Parameter placement: the place of the segment in the archive; `nil` if the archive does not have it.
    mutating func append(_ segment: LiveSegment, to id: RenditionID, placement: ArchivePlacement? = nil) {
        if segment.mediaSequence > newestMediaSequence {
            newestMediaSequence = segment.mediaSequence
            mediaClock += segment.duration.seconds
        }
        let mediaClock = mediaClock
        presentationStart = presentationStart ?? segment.programDateTime
        update(id) { $0.append(segment, mediaClock: mediaClock, placement: placement) }
        shrink()
        if !segment.isGap { noteOwnMedia(id, segment.mediaSequence) }
        growingEpoch = segment.epoch
        notePlayable()
        dropDateRanges()
    }

    /// Drops the segments that no longer need to be listed, from all renditions at once: all playlists begin with the
    /// same segment at every moment. Audio segments never last exactly as long as video segments, so that renditions
    /// that were trimmed by their own durations would begin apart, which stops Shaka Player.
    private mutating func shrink() {
        let minimumDuration = minimumDuration
        let needed = renditions.compactMap {
            $0.firstNeededInMemory(minimumCount: configuration.minimumSegmentCount, minimumDuration: minimumDuration)
        }
        guard let first = needed.min() else { return }
        let firstInMemory = renditions.compactMap(\.firstAllowedInMemory).reduce(first, max)
        for index in renditions.indices {
            renditions[index].shrink(
                to: firstInMemory, mediaClock: mediaClock, handedOutAt: handedOutAt,
                toArchive: archivedSeconds > 0)
        }
        var firstListed = Int.max
        for index in renditions.indices {
            firstListed = min(firstListed, renditions[index].firstNeeded(toSeconds: Double(archivedSeconds)) ?? .max)
        }
        for index in renditions.indices {
            renditions[index].shrinkArchive(to: firstListed, mediaClock: mediaClock, handedOutAt: handedOutAt)
        }
    }

    /// Adds a gap for each segment to renditions that the current epoch neither has nor fills, until only gaps are
    /// left, on the playlist or off it.
    ///
    /// - Parameter segment: a segment of the epoch's leading rendition.
    mutating func appendGaps(for segment: LiveSegment, exceptFor present: Set<RenditionID>) {
        for id in renditions.map(\.id) where !present.contains(id) {
            append(
                LiveSegment(header: segment.header, parts: [], duration: segment.duration, listsParts: false),
                to: id)
        }
        renditions.removeAll { !present.contains($0.id) && $0.hasNoMedia }
    }

    mutating func backfill(
        _ id: RenditionID, _ segments: [LiveSegment], after gaps: [ArchivedSegment], discontinuitySequence: Int
    ) {
        let (mediaClock, isArchived) = (mediaClock, archivedSeconds > 0)
        update(id) {
            $0.backfill(
                segments, after: gaps, discontinuitySequence: discontinuitySequence, mediaClock: mediaClock,
                staysListed: isArchived)
        }
    }

    private mutating func update(_ id: RenditionID, _ change: (inout RenditionWindow) -> Void) {
        guard let index = renditions.firstIndex(where: { $0.id == id }) else { return }
        change(&renditions[index])
    }
}
