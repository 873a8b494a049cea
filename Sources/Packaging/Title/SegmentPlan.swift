import MediaCore

/// One segment of a title's rendition: its samples, time and size.
package struct SegmentPlan: Sendable, Hashable {
    /// The index of the first sample in the track's sample table.
    package var firstSample: Int
    /// The number of samples, from the first one on.
    package var sampleCount: Int
    /// The decode time of the first sample (`tfdt`), in the track's timescale.
    package var decodeTime: Int64
    /// The sum of the samples' durations, in the track's timescale.
    package var duration: Int64
    /// The size of the whole segment as delivered, `moof` included.
    package var byteCount: Int
}
