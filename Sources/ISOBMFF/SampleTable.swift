/// Position and duration of each sample of a track, and the samples at which decoding can start. The table is
/// expanded from stts, ctts, stss, stsz, stsc and stco or co64 (ISO/IEC 14496-12 §8.6, §8.7), or from the truns of a
/// fragmented file.
///
/// The columns are parallel arrays in decoding order. They take 9 bytes per sample for most films, and never more
/// than 25.
package struct SampleTable: Sendable {
    /// Offset of each sample's first byte from the start of the file.
    package internal(set) var offsets = SampleOffsets()
    package internal(set) var byteCounts: [UInt32] = []
    /// Ticks of the track's timescale until the next sample's decode time.
    package internal(set) var durations = RunLengthArray()
    /// Ticks from decode to composition time; empty if all are zero.
    package internal(set) var compositionOffsets: [Int32] = []
    /// Whether each sample is a sync sample; empty if all are.
    package internal(set) var syncFlags: [Bool] = []

    package init() {}

    /// The number of samples.
    package var count: Int { offsets.count }
    package var hasCompositionOffsets: Bool { !compositionOffsets.isEmpty }

    /// Ticks from decode to composition time of a sample.
    @inlinable package func compositionOffset(of sample: Int) -> Int32 {
        compositionOffsets.isEmpty ? 0 : compositionOffsets[sample]
    }

    /// Whether decoding can start at a sample.
    @inlinable package func isSync(_ sample: Int) -> Bool { syncFlags.isEmpty || syncFlags[sample] }

    /// The first sync sample in a range; `nil` if there is none.
    package func firstSyncSample(in range: Range<Int>) -> Int? {
        syncFlags.isEmpty ? range.first : syncFlags[range].firstIndex(of: true)
    }

    /// Memory use of the table in bytes, for caches with a size limit.
    package var memoryByteCount: Int {
        offsets.memoryByteCount + byteCounts.count * 4 + durations.memoryByteCount + compositionOffsets.count * 4
            + syncFlags.count
    }

    /// Limit on the samples of all tracks of a movie together, because a few bytes can claim any number. A
    /// thirty-hour recording at 60 frames per second with 48 kHz audio stays below it.
    package static let maximumSampleCount = 16_000_000
}
