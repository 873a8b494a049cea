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

    package init(
        mediaSequence: Int, programDateTime: WallClockTime, isDiscontinuous: Bool, initializationNumber: Int,
        epoch: String
    ) {
        self.mediaSequence = mediaSequence
        self.programDateTime = programDateTime
        self.isDiscontinuous = isDiscontinuous
        self.initializationNumber = initializationNumber
        self.epoch = epoch
    }
}
