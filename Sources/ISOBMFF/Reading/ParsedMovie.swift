/// A parsed `moov`: the index, and the defaults for fragments.
struct ParsedMovie {
    var index: MovieIndex
    /// Defaults from `trex` (ISO/IEC 14496-12 §8.8.3), keyed by track_ID.
    var trackExtends: [UInt32: TrackExtends]
}
