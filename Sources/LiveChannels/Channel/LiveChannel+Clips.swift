import HLSPlaylist
package import MediaCore
import NIOCore
import Packaging

extension LiveChannel {
    /// Plans a clip between two times: the whole segments that cover them, beginning with a key frame.
    ///
    /// - Parameters:
    ///   - from: the start.
    ///   - to: the end.
    ///   - title: the clip's title; `nil` for the channel's title and the date.
    /// - Throws: ``ClipError``
    package func planClip(from: WallClockTime, to: WallClockTime, title: String?) throws(ClipError) -> ClipPlan {
        guard let archive else { throw ClipError(.storage, "this server has no archive") }
        guard from < to else { throw ClipError(.invalid, "\"from\" must be before \"to\"") }
        guard to - from <= ClipPlan.maximumDuration else {
            throw ClipError(
                .invalid, "a clip can last \(ClipPlan.maximumDuration.components.seconds / 3_600) hours at most")
        }
        let window = withState { $0.window }
        let tracks = window.renditions.map(ClipTrack.init)
        // The most recent media is in a segment that is not finished yet.
        let grace = Duration.seconds(2 * window.targetDuration)
        guard let leading = tracks.first, let rows = leading.rows(from: from, to: to, grace: grace) else {
            throw ClipError(.outsideWindow, "\(name) has no media for that time; \(Self.extent(of: tracks.first))")
        }
        let present = tracks.filter { $0.hasMedia(in: rows) }
        return ClipPlan(
            sections: try Self.sections(of: present, rows),
            rows: rows.map { number in present.map { $0.source(mediaSequence: number) } },
            folder: RecordingFolder(
                directory: archive.recordingsDirectory, channel: name, title: configuration.title),
            startDate: leading.date(mediaSequence: rows.lowerBound) ?? from, title: title, storage: archive.storage)
    }

    /// The initialization section of each track. It must be the same for all rows, because one file has one set of
    /// parameters.
    private static func sections(
        of tracks: [ClipTrack], _ rows: Range<Int>
    ) throws(ClipError) -> [ByteBuffer] {
        var sections: [ByteBuffer] = []
        for track in tracks {
            var known: Set<String> = []
            var section: ByteBuffer?
            for number in rows {
                guard let header = track.source(mediaSequence: number)?.header,
                    known.insert("\(header.epoch)/\(header.initializationNumber)").inserted
                else { continue }
                let found = track.rendition.initializationSection(
                    epoch: header.epoch[...], number: header.initializationNumber)
                guard let found, section == nil || section == found else {
                    throw ClipError(
                        .parametersChange,
                        "codec parameters change at \(ProgramDateTime(header.programDateTime)); "
                            + "make one clip up to then, and one from then on")
                }
                section = found
            }
            if let section { sections.append(section) }
        }
        return sections
    }

    private static func extent(of track: ClipTrack?) -> String {
        guard let first = track?.entries.first, let last = track?.entries.last else { return "it has none at all" }
        let start = ProgramDateTime(first.header.programDateTime)
        return "it has from \(start) to \(ProgramDateTime(last.endDate))"
    }
}

/// A rendition's window, from which clips are cut.
private struct ClipTrack {
    struct Entry {
        var header: LiveSegmentHeader
        /// Duration in seconds.
        var duration: Double
        var startsWithKeyFrame: Bool
        /// `nil` for a gap.
        var source: ClipPlan.Source?

        var endDate: WallClockTime {
            header.programDateTime + MediaTime(seconds: duration, timescale: .milliseconds)
        }
    }

    let rendition: RenditionWindow
    /// Oldest first.
    let entries: [Entry]
    private let positions: [Int: Int]

    init(_ rendition: RenditionWindow) {
        self.rendition = rendition
        let archived = rendition.archived.segments.map { segment in
            Entry(
                header: segment.header, duration: segment.duration,
                startsWithKeyFrame: segment.isGap || segment.keyFrameByteCount != nil, source: segment.clipSource)
        }
        let listed = rendition.listed.map { segment in
            Entry(
                header: segment.header, duration: segment.duration.seconds,
                startsWithKeyFrame: segment.isGap || segment.keyFrameByteCount != nil,
                source: segment.isGap
                    ? nil
                    : ClipPlan.Source(
                        header: segment.header, duration: segment.duration, byteCount: segment.byteCount,
                        read: { segment.bytes }))
        }
        entries = archived + listed
        positions = Dictionary(
            entries.enumerated().map { ($1.header.mediaSequence, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func source(mediaSequence: Int) -> ClipPlan.Source? { positions[mediaSequence].flatMap { entries[$0].source } }

    func date(mediaSequence: Int) -> WallClockTime? {
        positions[mediaSequence].map { entries[$0].header.programDateTime }
    }

    func hasMedia(in rows: Range<Int>) -> Bool { rows.contains { source(mediaSequence: $0) != nil } }

    /// The end of a segment. A date and a duration may reach some milliseconds into the next segment.
    private func end(of index: Int) -> WallClockTime {
        let next = index + 1 < entries.count ? entries[index + 1].header.programDateTime : .distantFuture
        return min(entries[index].endDate, next)
    }

    /// The media sequence numbers of the segments that cover that time, beginning with a key frame; `nil` if the window
    /// does not cover it.
    ///
    /// - Parameter grace: the time by which `to` may be later than the end of the newest segment.
    func rows(from: WallClockTime, to: WallClockTime, grace: Duration) -> Range<Int>? {
        guard let oldest = entries.first, let newest = entries.last, from >= oldest.header.programDateTime,
            to <= newest.endDate + grace
        else { return nil }
        let covering = entries.indices.filter { end(of: $0) > from && entries[$0].header.programDateTime < to }
        guard var first = covering.first, let last = covering.last else { return nil }
        while first > 0, !entries[first].startsWithKeyFrame { first -= 1 }
        let rows = entries[first].header.mediaSequence..<entries[last].header.mediaSequence + 1
        return hasMedia(in: rows) ? rows : nil
    }
}

extension ArchivedSegment {
    fileprivate var clipSource: ClipPlan.Source? {
        let byteCount: Int
        let duration: MediaTime
        switch placement?.media {
        case .memory(let segment), .kept(let segment): (byteCount, duration) = (segment.byteCount, segment.duration)
        case .stored(let stored): (byteCount, duration) = (stored.byteCount, stored.duration)
        case .missing, nil: return nil
        }
        return ClipPlan.Source(header: header, duration: duration, byteCount: byteCount) {
            guard case .complete(let pieces) = try self.read(cachedOnly: false) else {
                throw ClipError(.outsideWindow, "a part of the clip is no longer kept")
            }
            return pieces
        }
    }
}
