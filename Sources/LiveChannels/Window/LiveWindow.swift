import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
package import Packaging

/// All renditions of a channel: what the playlists are made of.
package struct LiveWindow: Sendable {
    /// Video first, if there is any.
    package private(set) var renditions: [RenditionWindow] = []
    private let configuration: LivePackagingConfiguration
    /// Every rendition has had a segment at the same time.
    private var hasBeenPlayable = false
    /// Seconds of media that the channel has been sent: the clock that retained segments expire on. Media arrives in
    /// real time; while none arrives, nothing has to go. The leading rendition moves it: others come in bursts.
    private var mediaClock = 0.0
    private var newestMediaSequence = -1

    /// Seconds.
    package var targetDuration: Int { configuration.targetDuration }

    /// bis §6.2.2: a playlist lasts at least three target durations before anything leaves it.
    static let minimumTargetDurationCount = 3

    package init(configuration: LivePackagingConfiguration) { self.configuration = configuration }

    package func rendition(named name: Substring) -> RenditionWindow? { renditions.first { $0.name == name } }

    /// A player finds something behind each URI of the multivariant playlist: every rendition has its first segment.
    /// It stays so when a new publisher brings a rendition more, so that nobody who is watching is sent away.
    package var isPlayable: Bool { hasBeenPlayable && renditions.contains(where: \.listsMedia) }

    package var byteCount: Int { renditions.reduce(0) { $0 + $1.byteCount } }

    // MARK: Growing

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

    mutating func append(_ part: PartialSegment, to mediaType: MediaType) {
        update(mediaType) { $0.append(part) }
    }

    mutating func append(_ segment: LiveSegment, to mediaType: MediaType) {
        let minimumCount = configuration.minimumSegmentCount
        let minimumDuration = Double(configuration.targetDuration * Self.minimumTargetDurationCount)
        if segment.mediaSequence > newestMediaSequence {
            newestMediaSequence = segment.mediaSequence
            mediaClock += segment.duration.seconds
        }
        let mediaClock = mediaClock
        update(mediaType) {
            $0.append(
                segment, minimumCount: minimumCount, minimumDuration: minimumDuration, mediaClock: mediaClock)
        }
        if renditions.allSatisfy({ !$0.listed.isEmpty }) { hasBeenPlayable = true }
    }

    /// Renditions that the present epoch has not: a gap for each of its segments, until nothing but gaps is left, on
    /// the playlist or off it.
    ///
    /// - Parameter segment: of the epoch's leading rendition.
    mutating func appendGaps(for segment: LiveSegment, exceptFor present: Set<MediaType>) {
        for mediaType in renditions.map(\.mediaType) where !present.contains(mediaType) {
            append(
                LiveSegment(
                    mediaSequence: segment.mediaSequence, parts: [], duration: segment.duration,
                    programDateTime: segment.programDateTime, isDiscontinuous: segment.isDiscontinuous,
                    initializationNumber: segment.initializationNumber, epoch: segment.epoch), to: mediaType)
        }
        renditions.removeAll { !present.contains($0.mediaType) && $0.hasNoMedia }
    }

    private mutating func update(_ mediaType: MediaType, _ change: (inout RenditionWindow) -> Void) {
        guard let index = renditions.firstIndex(where: { $0.mediaType == mediaType }) else { return }
        change(&renditions[index])
    }
}
