import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging

/// What viewers could go back to when the server before this one ended: its journals, put together.
///
/// Numbers go on without a hole: what the journals do not know, because it was lost or because a number is skipped after
/// a restart (``FileChannelStateStore/skippedSegmentCount``), is a gap.
struct RestoredArchive: Sendable {
    /// Video first, if there is any.
    private(set) var renditions: [Rendition] = []
    /// Milliseconds since 1970 at which the last segment ends.
    private(set) var endDate: Int64 = 0

    struct Rendition: Sendable {
        var mediaType: MediaType
        /// Oldest first, the first no gap.
        var segments: [ArchivedSegment] = []
        /// Off the playlist, but still fetchable, oldest first.
        var retained: [ArchivedSegment] = []
        /// How many discontinuities stand before them.
        var discontinuitySequence = 0
        /// In the order of their first use.
        var sections: [Section] = []

        /// Lists the newest of so many seconds, from the first that is no gap on.
        ///
        /// - Parameter oldest: milliseconds since 1970: what is older was not listed in the last playlists either.
        fileprivate mutating func trim(toSeconds maximumSeconds: Double, retainingFrom oldest: Int64) {
            var seconds = segments.reduce(0) { $0 + $1.duration }
            let leaving = segments.prefix { segment in
                guard segment.isGap || seconds - segment.duration >= maximumSeconds else { return false }
                seconds -= segment.duration
                return true
            }
            discontinuitySequence += leaving.count(where: \.heading.isDiscontinuous)
            retained = leaving.filter { !$0.isGap && $0.heading.programDateTime >= oldest }
            segments.removeFirst(leaving.count)
        }
    }

    struct Section: Sendable {
        var epoch: String
        var number: Int
        var bytes: ByteBuffer
        var configuration: CodecConfiguration
    }

    /// A journal with the file that it is of.
    struct Source: Sendable {
        /// What names in the folder begin with.
        var stem: String
        var journal: ArchiveJournal
        var movie: ArchiveMovie
    }

    /// Of numbers one behind the other that nothing is known of. More, and the past is another programme's.
    static let maximumGapCount = 256
    /// Seconds that a gap lasts. Short, so that a player is soon past what nobody has; and always the same, so that
    /// the next restart says what this one did.
    static let gapSeconds = 0.1

    /// - Parameters:
    ///   - sources: in any order.
    ///   - state: what the next push goes on from.
    ///   - windowSeconds: that are listed at most.
    /// - Returns: `nil` where nothing can be listed in front of that.
    init?(_ sources: [Source], before state: ChannelState, windowSeconds: Int) {
        var assembly = Assembly()
        let sources = sources.filter { !$0.journal.rows.isEmpty }.sorted {
            ($0.journal.rows.first?.mediaSequence ?? 0) < ($1.journal.rows.first?.mediaSequence ?? 0)
        }
        for source in sources {
            let configurations = source.journal.tracks.map { CodecConfiguration(initializationSection: $0.section) }
            for row in source.journal.rows where row.mediaSequence < state.nextMediaSequence {
                assembly.append(row, of: source, configurations: configurations)
            }
        }
        // Segments that were listed and are lost pushed others out, and a playlist's first number never goes back.
        let lostSeconds = assembly.lastSeconds * Double(assembly.missingCount(upTo: state.nextMediaSequence))
        guard
            assembly.fill(upTo: state.nextMediaSequence, discontinuityCount: state.discontinuityCount)
        else { return nil }
        renditions = assembly.renditions
        endDate = assembly.endDate
        let oldest = endDate - Int64(windowSeconds) * 2_000
        for index in renditions.indices {
            renditions[index].trim(toSeconds: Double(windowSeconds) - lostSeconds, retainingFrom: oldest)
        }
        renditions.removeAll { $0.segments.isEmpty }
        if renditions.isEmpty { return nil }
    }

    /// Rows one behind the other.
    private struct Assembly {
        /// As long as there is nothing, they begin with whatever comes.
        private var byType: [MediaType: Rendition] = [:]
        /// Of the last row or gap.
        private var heading: LiveSegmentHeading?
        private(set) var endDate: Int64 = 0
        /// Of the last row.
        private(set) var lastSeconds = 0.0
        /// Before the next row.
        private var discontinuityCount = 0

        var renditions: [Rendition] { [.video, .audio].compactMap { byType[$0] } }

        mutating func append(_ row: ArchiveJournal.Row, of source: Source, configurations: [CodecConfiguration?]) {
            guard let first = row.entries.lazy.compactMap(\.self).first else { return }
            if let heading, row.mediaSequence <= heading.mediaSequence { return }
            if !fill(upTo: row.mediaSequence, discontinuityCount: row.discontinuityCount) {
                // What came before, if anything did, cannot be listed in front of it.
                byType = [:]
            }
            for (track, (entry, configuration)) in zip(source.journal.tracks, zip(row.entries, configurations)) {
                guard let entry, let configuration,
                    let stored = StoredSegment(foundIn: source.movie, at: entry.place)
                else { continue }
                let heading = LiveSegmentHeading(
                    mediaSequence: row.mediaSequence, programDateTime: entry.programDateTime,
                    isDiscontinuous: first.isDiscontinuous, initializationNumber: entry.initializationNumber,
                    epoch: row.epoch)
                begin(track.mediaType, before: row)
                note(Section(heading, track.section, configuration), of: track.mediaType)
                byType[track.mediaType]?.segments.append(
                    ArchivedSegment(
                        heading, stored: stored, isIndependent: entry.isIndependent,
                        keyFrameByteCount: entry.keyFrameByteCount, rendition: track.mediaType.rawValue))
            }
            let heading = LiveSegmentHeading(
                mediaSequence: row.mediaSequence, programDateTime: first.programDateTime,
                isDiscontinuous: first.isDiscontinuous, initializationNumber: first.initializationNumber,
                epoch: row.epoch)
            let seconds = first.place.duration.seconds
            appendGap(heading, seconds: seconds)
            advance(past: heading, seconds: seconds)
            lastSeconds = seconds
            discontinuityCount = row.discontinuityCount + (first.isDiscontinuous ? 1 : 0)
        }

        private mutating func begin(_ mediaType: MediaType, before row: ArchiveJournal.Row) {
            guard byType[mediaType] == nil else { return }
            byType[mediaType] = Rendition(mediaType: mediaType, discontinuitySequence: row.discontinuityCount)
        }

        private mutating func note(_ section: Section, of mediaType: MediaType) {
            let last = byType[mediaType]?.sections.last
            guard last?.epoch != section.epoch || last?.number != section.number else { return }
            byType[mediaType]?.sections.append(section)
        }

        /// For the renditions that have nothing with that number.
        private mutating func appendGap(_ heading: LiveSegmentHeading, seconds: Double) {
            for (mediaType, rendition) in byType
            where rendition.segments.last.map({ $0.heading.mediaSequence < heading.mediaSequence }) ?? false {
                byType[mediaType]?.segments.append(
                    ArchivedSegment(gap: heading, duration: seconds, rendition: mediaType.rawValue))
            }
        }

        func missingCount(upTo mediaSequence: Int) -> Int {
            heading.map { mediaSequence - $0.mediaSequence - 1 } ?? 0
        }

        /// Gaps up to, and not with, that number.
        ///
        /// - Parameter count: of the channel's discontinuities, before what has that number.
        /// - Returns: false where there is nothing in front of them, and where they cannot stand for what is missing.
        mutating func fill(upTo mediaSequence: Int, discontinuityCount count: Int) -> Bool {
            guard let last = heading, !byType.isEmpty else { return false }
            let missing = missingCount(upTo: mediaSequence)
            let discontinuities = count - discontinuityCount
            guard (0...RestoredArchive.maximumGapCount).contains(missing), (0...missing).contains(discontinuities)
            else { return false }
            for index in 0..<missing {
                let heading = LiveSegmentHeading(
                    mediaSequence: last.mediaSequence + 1 + index, programDateTime: endDate,
                    // The numbers that certainly nobody has seen come last.
                    isDiscontinuous: index >= missing - discontinuities,
                    initializationNumber: last.initializationNumber, epoch: last.epoch)
                appendGap(heading, seconds: RestoredArchive.gapSeconds)
                advance(past: heading, seconds: RestoredArchive.gapSeconds)
            }
            return true
        }

        private mutating func advance(past heading: LiveSegmentHeading, seconds: Double) {
            self.heading = heading
            endDate = heading.programDateTime.addingSaturating(Int64(seconds * 1_000))
        }
    }
}

extension RestoredArchive.Section {
    fileprivate init(_ heading: LiveSegmentHeading, _ bytes: ByteBuffer, _ configuration: CodecConfiguration) {
        self.init(
            epoch: heading.epoch, number: heading.initializationNumber, bytes: bytes, configuration: configuration)
    }
}
