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
        /// Oldest first.
        var segments: [ArchivedSegment] = []
        /// Off the playlist, but still fetchable, oldest first.
        var retained: [ArchivedSegment] = []
        /// How many discontinuities stand before them.
        var discontinuitySequence = 0
        /// In the order of their first use.
        var sections: [Section] = []

        fileprivate var hasMedia: Bool { !retained.isEmpty || !segments.allSatisfy(\.isGap) }

        /// Lists the newest of so many seconds.
        ///
        /// - Parameters:
        ///   - mediaSequence: of the first that may be listed.
        ///   - retainedSeconds: what is no further from the end can be fetched: players may have playlists that list it.
        fileprivate mutating func trim(
            toSeconds maximumSeconds: Double, from mediaSequence: Int, retaining retainedSeconds: Double
        ) {
            var seconds = segments.reduce(0) { $0 + $1.duration }
            var leavingCount = 0
            for segment in segments {
                guard
                    segment.heading.mediaSequence < mediaSequence
                        || seconds - segment.duration >= maximumSeconds
                else { break }
                if !segment.isGap, seconds <= retainedSeconds { retained.append(segment) }
                if segment.heading.isDiscontinuous { discontinuitySequence += 1 }
                seconds -= segment.duration
                leavingCount += 1
            }
            segments.removeFirst(leavingCount)
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
    ///   - minimumSeconds: that a playlist lasts before anything leaves it.
    /// - Returns: `nil` where nothing can be listed in front of that.
    init?(_ sources: [Source], before state: ChannelState, windowSeconds: Int, minimumSeconds: Double) {
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
        // Segments that were listed and are lost pushed others out, and a playlist's first number never goes back. One
        // may always have been: it was on its way to the disk.
        let missing = assembly.missingCount(upTo: state.nextMediaSequence)
        let lostCount = max(1, missing - FileChannelStateStore.skippedSegmentCount)
        let listedSeconds = max(
            Double(windowSeconds) - assembly.lastSeconds * Double(lostCount), lostCount == 1 ? minimumSeconds : 0)
        guard
            assembly.fill(upTo: state.nextMediaSequence, discontinuityCount: state.discontinuityCount)
        else { return nil }
        renditions = assembly.renditions
        endDate = assembly.endDate
        for index in renditions.indices {
            renditions[index].trim(
                toSeconds: listedSeconds, from: assembly.first[renditions[index].mediaType],
                retaining: Double(windowSeconds) * 2 + minimumSeconds)
        }
        renditions.removeAll { !$0.hasMedia }
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
        /// Of the playlists that have listed the last row.
        private(set) var first = FirstMediaSequences()
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
                guard let entry, let configuration else { continue }
                let heading = LiveSegmentHeading(
                    mediaSequence: row.mediaSequence, programDateTime: entry.programDateTime,
                    isDiscontinuous: first.isDiscontinuous, initializationNumber: entry.initializationNumber,
                    epoch: row.epoch)
                guard let stored = StoredSegment(foundIn: source.movie, at: entry.place) else {
                    byType[track.mediaType]?.segments.append(
                        ArchivedSegment(
                            gap: heading, duration: entry.place.duration.seconds, rendition: track.mediaType.rawValue))
                    continue
                }
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
            // A gap that comes next begins behind the longest.
            endDate = row.entries.lazy.compactMap { $0?.endDate }.reduce(endDate, max)
            lastSeconds = seconds
            self.first = row.first
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

extension ArchiveJournal.Entry {
    fileprivate var endDate: Int64 {
        programDateTime.addingSaturating(place.duration.converted(to: .milliseconds).value)
    }
}

extension RestoredArchive.Section {
    fileprivate init(_ heading: LiveSegmentHeading, _ bytes: ByteBuffer, _ configuration: CodecConfiguration) {
        self.init(
            epoch: heading.epoch, number: heading.initializationNumber, bytes: bytes, configuration: configuration)
    }
}
