package import HLSPlaylist
import MediaCore
package import Packaging

/// A segment that a playlist lists and that memory no longer holds. A class, because thousands of them stand in lists
/// that are copied with every revision.
package final class ArchivedSegment: Sendable {
    package let header: LiveSegmentHeader
    /// Duration in seconds.
    package let duration: Double
    package let isIndependent: Bool
    package let isGap: Bool
    /// See ``LiveSegment/presentationStart``; also `nil` if a former version has written the segment.
    let presentationStart: MediaTime?
    /// Size of the media; zero for a gap.
    let byteCount: Int
    /// See ``LiveSegment/keyFrameByteCount``.
    let keyFrameByteCount: Int?
    /// The lines of a playlist that describe the segment.
    package let lines: RenderedSegment
    /// The place of the segment's media; `nil` if it was a gap already.
    let placement: ArchivePlacement?
    /// The time on the window's media clock, in seconds, at which the segment was first listed.
    let since: Double

    init(_ segment: LiveSegment, rendition: String, placement: ArchivePlacement?, since: Double) {
        var placement = placement
        if case .missing? = placement?.media { placement = nil }
        header = segment.header
        duration = segment.duration.seconds
        presentationStart = segment.presentationStart
        isIndependent = segment.isIndependent
        self.since = since
        self.placement = placement
        isGap = segment.isGap || placement == nil
        byteCount = isGap ? 0 : segment.byteCount
        keyFrameByteCount = isGap ? nil : segment.keyFrameByteCount
        lines = Self.lines(of: segment.header, duration: duration, rendition: rendition, isGap: isGap)
    }

    /// The listing time of segments that the previous server listed: players may have a playlist from it.
    private static let longAgo = -Double.infinity

    /// A segment that the previous server wrote.
    init(
        _ header: LiveSegmentHeader, stored: StoredSegment, presentationStart: MediaTime?, isIndependent: Bool,
        keyFrameByteCount: Int?, rendition: String
    ) {
        self.header = header
        duration = stored.duration.seconds
        self.presentationStart = presentationStart
        self.isIndependent = isIndependent
        since = Self.longAgo
        placement = ArchivePlacement(.stored(stored))
        isGap = false
        byteCount = stored.byteCount
        self.keyFrameByteCount = keyFrameByteCount
        lines = Self.lines(of: header, duration: duration, rendition: rendition, isGap: false)
    }

    /// A gap: there is no media for that time.
    init(
        gap header: LiveSegmentHeader, duration: Double, rendition: String, isIndependent: Bool = true,
        since: Double? = nil
    ) {
        self.header = header
        self.duration = duration
        presentationStart = nil
        self.isIndependent = isIndependent
        self.since = since ?? Self.longAgo
        placement = nil
        isGap = true
        byteCount = 0
        keyFrameByteCount = nil
        lines = Self.lines(of: header, duration: duration, rendition: rendition, isGap: true)
    }

    /// Replaces a segment that was expected to be written, and was not, with a gap.
    convenience init(hole segment: ArchivedSegment, rendition: String) {
        self.init(
            gap: segment.header, duration: segment.duration, rendition: rendition,
            isIndependent: segment.isIndependent, since: segment.since)
    }

    private static func lines(
        of header: LiveSegmentHeader, duration: Double, rendition: String, isGap: Bool
    ) -> RenderedSegment {
        let folder = "\(header.epoch)/\(rendition)"
        return RenderedSegment(
            MediaSegment(
                uri: "\(folder)/\(header.mediaSequence).m4s", duration: duration,
                isDiscontinuous: header.isDiscontinuous,
                initializationSection: isGap ? nil : "\(folder)/init-\(header.initializationNumber).mp4",
                programDateTime: header.programDateTime.millisecondsSince1970, isGap: isGap))
    }

    /// True while it is not known whether the segment will be on the disk.
    var isUnresolved: Bool { if case .memory? = placement?.media { true } else { false } }

    /// True if the segment was expected on the disk and was not written.
    var isMissing: Bool { if case .missing? = placement?.media { true } else { false } }

    /// Reads the bytes that players were given while the segment was in memory.
    ///
    /// - Parameter cachedOnly: whether to give up rather than wait for the disk.
    /// - Throws: `MediaFileError` if the file cannot be read.
    package func read(cachedOnly: Bool) throws -> ArchivedSegmentRead {
        switch placement?.media {
        case .memory(let segment), .kept(let segment): .complete(segment.bytes)
        case .stored(let stored): try stored.read(cachedOnly: cachedOnly).map { .complete([$0]) } ?? .needsDisk
        case .missing, nil: .missing
        }
    }
}
