import ISOBMFF

/// The mapping of a track's own clock to the title's: its edit list, reordering and priming, reduced to what fragments
/// can express.
///
/// All renditions of a title share one timeline that starts at zero and on which all video and audio has the place that
/// the file's edit lists give it.
struct RenditionTimeline: Sendable {
    /// The samples that are packaged; those before and after them are never presented.
    var samples: Range<Int>
    /// The `tfdt` of the first sample, in the track's timescale.
    var firstDecodeTime: Int64 = 0
    /// The shift added to all composition offsets if the file has negative ones (see ``firstPresentedMediaTime``).
    var compositionShift: Int64 = 0
    /// The media time of the initialization section's edit list: an audio encoder's priming, or the reordering delay of
    /// the first video frame. (CMAF would express the latter with negative composition offsets; ffmpeg and everything
    /// built on it then present video that much too late relative to audio.)
    var firstPresentedMediaTime: Int64 = 0

    /// The composition offset of a sample in a fragment.
    func compositionOffset(of sample: Int, in samples: SampleTable) -> Int32 {
        Int32(clamping: Int64(samples.compositionOffset(of: sample)) + compositionShift)
    }
}
