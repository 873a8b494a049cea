import MediaCore

/// One segment of a title's rendition: which samples it holds, when they play, how large it is.
package struct SegmentPlan: Sendable, Hashable {
    package var firstSample: Int
    package var sampleCount: Int
    /// Of the first sample, in the track's timescale: `tfdt`.
    package var decodeTime: Int64
    /// Sum of the samples' durations, in the track's timescale.
    package var duration: Int64
    /// Of the whole segment as delivered, `moof` included.
    package var byteCount: Int
}
