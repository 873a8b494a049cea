package import HLSPlaylist
import MediaCore
package import NIOCore
package import Packaging

/// A segment that a playlist lists and that memory does not hold any longer. A class, because thousands of them stand in
/// lists that are copied with every revision.
package final class ArchivedSegment: Sendable {
    package let heading: LiveSegmentHeading
    /// Seconds.
    package let duration: Double
    package let isIndependent: Bool
    package let isGap: Bool
    /// See ``LiveSegment/keyFrameByteCount``.
    let keyFrameByteCount: Int?
    /// What a playlist has of it.
    package let lines: RenderedSegment
    /// `nil` for what was a gap already.
    let placement: ArchivePlacement?
    /// On the window's media clock: when it was first listed.
    let since: Double

    init(_ segment: LiveSegment, rendition: String, placement: ArchivePlacement?, since: Double) {
        var placement = placement
        if case .missing? = placement?.media { placement = nil }
        heading = segment.heading
        duration = segment.duration.seconds
        isIndependent = segment.isIndependent
        self.since = since
        self.placement = placement
        isGap = segment.isGap || placement == nil
        keyFrameByteCount = isGap ? nil : segment.keyFrameByteCount
        lines = Self.lines(of: segment.heading, duration: duration, rendition: rendition, isGap: isGap)
    }

    /// Players may have a playlist of the server before this one.
    private static let longAgo = -Double.infinity

    /// One that the server before this one wrote.
    init(
        _ heading: LiveSegmentHeading, stored: StoredSegment, isIndependent: Bool, keyFrameByteCount: Int?,
        rendition: String
    ) {
        self.heading = heading
        duration = stored.duration.seconds
        self.isIndependent = isIndependent
        since = Self.longAgo
        placement = ArchivePlacement(.stored(stored))
        isGap = false
        self.keyFrameByteCount = keyFrameByteCount
        lines = Self.lines(of: heading, duration: duration, rendition: rendition, isGap: false)
    }

    /// There is no media of that time.
    init(
        gap heading: LiveSegmentHeading, duration: Double, rendition: String, isIndependent: Bool = true,
        since: Double? = nil
    ) {
        self.heading = heading
        self.duration = duration
        self.isIndependent = isIndependent
        self.since = since ?? Self.longAgo
        placement = nil
        isGap = true
        keyFrameByteCount = nil
        lines = Self.lines(of: heading, duration: duration, rendition: rendition, isGap: true)
    }

    /// - Parameter segment: was expected to be written, and was not.
    convenience init(hole segment: ArchivedSegment, rendition: String) {
        self.init(
            gap: segment.heading, duration: segment.duration, rendition: rendition,
            isIndependent: segment.isIndependent, since: segment.since)
    }

    private static func lines(
        of heading: LiveSegmentHeading, duration: Double, rendition: String, isGap: Bool
    ) -> RenderedSegment {
        let folder = "\(heading.epoch)/\(rendition)"
        return RenderedSegment(
            MediaSegment(
                uri: "\(folder)/\(heading.mediaSequence).m4s", duration: duration,
                isDiscontinuous: heading.isDiscontinuous,
                initializationSection: isGap ? nil : "\(folder)/init-\(heading.initializationNumber).mp4",
                programDateTime: heading.programDateTime, isGap: isGap))
    }

    /// It is not known yet whether it will be on the disk.
    var isUnresolved: Bool { if case .memory? = placement?.media { true } else { false } }

    var isMissing: Bool { if case .missing? = placement?.media { true } else { false } }

    /// The bytes that players were given while it was in memory.
    ///
    /// - Parameter cachedOnly: do not wait for the disk.
    /// - Throws: ``MediaFileError``
    package func read(cachedOnly: Bool) throws -> ArchivedSegmentRead {
        switch placement?.media {
        case .memory(let segment): .complete(segment.bytes)
        case .stored(let stored): try stored.read(cachedOnly: cachedOnly).map { .complete([$0]) } ?? .needsDisk
        case .missing, nil: .missing
        }
    }
}

/// What came of reading an archived segment.
package enum ArchivedSegmentRead: Sendable {
    case complete([ByteBuffer])
    /// Not all of it is in the page cache.
    case needsDisk
    /// There is no such media.
    case missing
}
