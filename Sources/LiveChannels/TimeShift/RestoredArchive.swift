import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging

/// The time shift that viewers had when the previous server ended, put together from its journals.
///
/// Media sequence numbers continue without a hole. Numbers that the journals do not know, because they were lost or
/// because numbers are skipped after a restart (``FileChannelStateStore/skippedSegmentCount``), become gaps.
struct RestoredArchive: Sendable {
    /// The renditions, video first if there is any.
    private(set) var renditions: [Rendition] = []
    /// The time at which the last segment ends.
    private(set) var endDate = WallClockTime.unixEpoch

    /// The part of a rendition's playlist that lies on disk.
    struct Rendition: Sendable {
        var id: RenditionID
        /// The listed segments, oldest first.
        var segments: [ArchivedSegment] = []
        /// Segments that are off the playlist but still fetchable, oldest first.
        var retained: [ArchivedSegment] = []
        /// The number of discontinuities before the listed segments.
        var discontinuitySequence = 0
        /// The initialization sections, in the order of their first use.
        var sections: [Section] = []

        fileprivate var hasMedia: Bool { !retained.isEmpty || !segments.allSatisfy(\.isGap) }

        /// Keeps only the newest segments listed, up to a duration.
        ///
        /// - Parameters:
        ///   - mediaSequence: the media sequence number of the first segment that may be listed.
        ///   - retainedSeconds: segments within this many seconds of the end stay fetchable, because players may have
        ///     playlists that list them.
        fileprivate mutating func trim(
            toSeconds maximumSeconds: Double, from mediaSequence: Int, retaining retainedSeconds: Double
        ) {
            var seconds = segments.reduce(0) { $0 + $1.duration }
            var leavingCount = 0
            for segment in segments {
                guard
                    segment.header.mediaSequence < mediaSequence
                        || seconds - segment.duration >= maximumSeconds
                else { break }
                if !segment.isGap, seconds <= retainedSeconds { retained.append(segment) }
                if segment.header.isDiscontinuous { discontinuitySequence += 1 }
                seconds -= segment.duration
                leavingCount += 1
            }
            segments.removeFirst(leavingCount)
        }
    }

    /// An initialization section with the codec configuration that it describes.
    struct Section: Sendable {
        var epoch: String
        var number: Int
        var bytes: ByteBuffer
        var configuration: CodecConfiguration
    }

    /// A journal and the movie that it describes.
    struct Source: Sendable {
        /// The prefix of the file names of the journal and the movie.
        var stem: String
        var journal: ArchiveJournal
        var movie: ArchiveMovie
    }

    /// Limit on consecutive numbers of which nothing is known. After a longer hole, the past belongs to another
    /// programme and is not restored.
    static let maximumGapCount = 256
    /// Duration of a gap. It is short, so that a player soon gets past what is lost, and constant, so that the next
    /// restart yields the same playlist.
    static let gapDuration = Duration.milliseconds(100)

    /// Restores the renditions from the journals.
    ///
    /// - Parameters:
    ///   - sources: the journals, in any order.
    ///   - state: the state with which the next push continues.
    ///   - windowSeconds: the maximum duration that is listed, in seconds.
    ///   - minimumSeconds: the duration of a playlist, in seconds, before any segment leaves it.
    /// - Returns: `nil` if nothing can be listed before the next push.
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
        // segment may always have been listed and lost: it was on its way to the disk.
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
                toSeconds: listedSeconds, from: assembly.first[renditions[index].id.mediaType],
                retaining: Double(windowSeconds) * 2 + minimumSeconds)
        }
        renditions.removeAll { !$0.hasMedia }
        if renditions.isEmpty { return nil }
    }

    /// Puts rows together, one after the other.
    private struct Assembly {
        /// The renditions so far. While it is empty, they begin with the next row.
        private var byID: [RenditionID: Rendition] = [:]
        /// The header of the last row or gap.
        private var header: LiveSegmentHeader?
        private(set) var endDate = WallClockTime.unixEpoch
        /// Duration of the last row, in seconds.
        private(set) var lastSeconds = 0.0
        /// The first media sequence numbers of the playlists that have listed the last row.
        private(set) var first = FirstMediaSequences()
        /// The number of discontinuities before the next row.
        private var discontinuityCount = 0

        var renditions: [Rendition] { byID.keys.sorted().compactMap { byID[$0] } }

        mutating func append(_ row: ArchiveJournal.Row, of source: Source, configurations: [CodecConfiguration?]) {
            guard let first = row.entries.lazy.compactMap(\.self).first else { return }
            if let header, row.mediaSequence <= header.mediaSequence { return }
            if !fill(upTo: row.mediaSequence, discontinuityCount: row.discontinuityCount) {
                // The rows so far, if there are any, cannot be listed before this one.
                byID = [:]
            }
            for (track, (entry, configuration)) in zip(source.journal.tracks, zip(row.entries, configurations)) {
                guard let entry, let configuration else { continue }
                let header = LiveSegmentHeader(
                    mediaSequence: row.mediaSequence, programDateTime: entry.programDateTime,
                    isDiscontinuous: first.isDiscontinuous, initializationNumber: entry.initializationNumber,
                    epoch: row.epoch)
                guard let stored = StoredSegment(foundIn: source.movie, at: entry.place) else {
                    byID[track.rendition]?.segments.append(
                        ArchivedSegment(
                            gap: header, duration: entry.place.duration.seconds, rendition: track.rendition.name))
                    continue
                }
                begin(track.rendition, before: row)
                note(Section(header, track.section, configuration), of: track.rendition)
                byID[track.rendition]?.segments.append(
                    ArchivedSegment(
                        header, stored: stored, presentationStart: entry.presentationStart,
                        isIndependent: entry.isIndependent, keyFrameByteCount: entry.keyFrameByteCount,
                        rendition: track.rendition.name))
            }
            let header = LiveSegmentHeader(
                mediaSequence: row.mediaSequence, programDateTime: first.programDateTime,
                isDiscontinuous: first.isDiscontinuous, initializationNumber: first.initializationNumber,
                epoch: row.epoch)
            let seconds = first.place.duration.seconds
            appendGap(header, seconds: seconds)
            advance(past: header, seconds: seconds)
            // A gap that follows begins after the longest entry.
            endDate = row.entries.lazy.compactMap { $0?.endDate }.reduce(endDate, max)
            lastSeconds = seconds
            self.first = row.first
            discontinuityCount = row.discontinuityCount + (first.isDiscontinuous ? 1 : 0)
        }

        /// Begins a rendition, with gaps for the time at which only others had media: all playlists begin together.
        private mutating func begin(_ id: RenditionID, before row: ArchiveJournal.Row) {
            guard byID[id] == nil else { return }
            var rendition = Rendition(id: id, discontinuitySequence: row.discontinuityCount)
            if let other = byID.values.first {
                rendition.segments = other.segments.prefix { $0.header.mediaSequence < row.mediaSequence }.map {
                    ArchivedSegment(gap: $0.header, duration: $0.duration, rendition: id.name)
                }
                rendition.discontinuitySequence = other.discontinuitySequence
            }
            byID[id] = rendition
        }

        private mutating func note(_ section: Section, of id: RenditionID) {
            let last = byID[id]?.sections.last
            guard last?.epoch != section.epoch || last?.number != section.number else { return }
            byID[id]?.sections.append(section)
        }

        /// Adds a gap to the renditions that have no segment with that number.
        private mutating func appendGap(_ header: LiveSegmentHeader, seconds: Double) {
            for (id, rendition) in byID
            where rendition.segments.last.map({ $0.header.mediaSequence < header.mediaSequence }) ?? false {
                byID[id]?.segments.append(
                    ArchivedSegment(gap: header, duration: seconds, rendition: id.name))
            }
        }

        /// The number of media sequence numbers that are missing before the given one.
        func missingCount(upTo mediaSequence: Int) -> Int {
            header.map { mediaSequence - $0.mediaSequence - 1 } ?? 0
        }

        /// Adds gaps up to, but not including, that number.
        ///
        /// - Parameter count: the number of the channel's discontinuities before the segment with that number.
        /// - Returns: false if nothing comes before the gaps, or if they cannot stand for what is missing.
        mutating func fill(upTo mediaSequence: Int, discontinuityCount count: Int) -> Bool {
            guard let last = header, !byID.isEmpty else { return false }
            let missing = missingCount(upTo: mediaSequence)
            let discontinuities = count - discontinuityCount
            guard (0...RestoredArchive.maximumGapCount).contains(missing), (0...missing).contains(discontinuities)
            else { return false }
            for index in 0..<missing {
                let header = LiveSegmentHeader(
                    mediaSequence: last.mediaSequence + 1 + index, programDateTime: endDate,
                    // The numbers that certainly nobody has seen come last.
                    isDiscontinuous: index >= missing - discontinuities,
                    initializationNumber: last.initializationNumber, epoch: last.epoch)
                appendGap(header, seconds: RestoredArchive.gapDuration.seconds)
                advance(past: header, seconds: RestoredArchive.gapDuration.seconds)
            }
            return true
        }

        private mutating func advance(past header: LiveSegmentHeader, seconds: Double) {
            self.header = header
            endDate = header.programDateTime.advanced(byMilliseconds: Int64(seconds * 1_000))
        }
    }
}

extension ArchiveJournal.Entry {
    fileprivate var endDate: WallClockTime {
        programDateTime + place.duration
    }
}

extension RestoredArchive.Section {
    fileprivate init(_ header: LiveSegmentHeader, _ bytes: ByteBuffer, _ configuration: CodecConfiguration) {
        self.init(
            epoch: header.epoch, number: header.initializationNumber, bytes: bytes, configuration: configuration)
    }
}
