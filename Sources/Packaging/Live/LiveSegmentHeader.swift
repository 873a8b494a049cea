package import MediaCore

/// The properties of a live segment that are known as soon as it begins.
package struct LiveSegmentHeader: Sendable, Hashable {
    package var mediaSequence: Int
    /// The date of the first sample.
    package var programDateTime: WallClockTime
    /// True if codec parameters, timeline or publisher changed before the segment.
    package var isDiscontinuous: Bool
    /// The number of the epoch's initialization section that the segment needs.
    package var initializationNumber: Int
    /// The publishing epoch; part of every URL.
    package var epoch: String
    /// True if the rendition is not made at this time: what the segment holds is only there for players that know no
    /// gaps.
    package var isSuspended: Bool

    package init(
        mediaSequence: Int, programDateTime: WallClockTime, isDiscontinuous: Bool, initializationNumber: Int,
        epoch: String, isSuspended: Bool = false
    ) {
        self.mediaSequence = mediaSequence
        self.programDateTime = programDateTime
        self.isDiscontinuous = isDiscontinuous
        self.initializationNumber = initializationNumber
        self.epoch = epoch
        self.isSuspended = isSuspended
    }
}
