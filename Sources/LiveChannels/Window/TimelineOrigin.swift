import MediaCore
import Packaging

/// The beginning of a time without a discontinuity: from there on, times of presentation and dates go together. It is
/// remembered while something of that time is listed, because what a manifest says of a period must not change.
struct TimelineOrigin: Sendable, Hashable {
    /// The header of the first segment.
    let header: LiveSegmentHeader
    /// The time at which its first frame is presented.
    let start: MediaTime
    /// False once a gap has followed.
    var isOpen = true

    init(_ header: LiveSegmentHeader, start: MediaTime) { (self.header, self.start) = (header, start) }

    init?(_ saved: SavedOrigin) {
        guard let timescale = Timescale(checking: saved.timescale) else { return nil }
        self.init(
            LiveSegmentHeader(
                mediaSequence: saved.mediaSequence, programDateTime: saved.date, isDiscontinuous: true,
                initializationNumber: saved.initializationNumber, epoch: saved.epoch),
            start: MediaTime(value: saved.start, timescale: timescale))
    }

    func saved(_ rendition: String) -> SavedOrigin {
        SavedOrigin(
            rendition: rendition, epoch: header.epoch, initializationNumber: header.initializationNumber,
            mediaSequence: header.mediaSequence, date: header.programDateTime, start: start.value,
            timescale: start.timescale.ticksPerSecond)
    }

    /// Whether a segment belongs to the same time.
    func continues(with other: LiveSegmentHeader) -> Bool {
        other.epoch == header.epoch && other.initializationNumber == header.initializationNumber
            && (!other.isDiscontinuous || other.mediaSequence == header.mediaSequence)
    }
}
