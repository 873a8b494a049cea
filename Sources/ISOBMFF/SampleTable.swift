/// Where every sample of a track lies in its file, how long it lasts and where decoding can start: the expansion of
/// stts, ctts, stss, stsz, stsc and stco/co64 (ISO/IEC 14496-12 §8.6, §8.7), or of a fragmented file's truns.
///
/// Parallel columns in decoding order: 9 bytes a sample for most films, and never more than 25.
package struct SampleTable: Sendable {
    /// Of the sample's first byte, from the start of the file.
    package internal(set) var offsets = SampleOffsets()
    package internal(set) var byteCounts: [UInt32] = []
    /// Ticks of the track's timescale until the next sample's decode time.
    package internal(set) var durations = RunLengthArray()
    /// Ticks from decode to composition time; empty where all are zero.
    package internal(set) var compositionOffsets: [Int32] = []
    /// Empty where every sample is a sync sample.
    package internal(set) var syncFlags: [Bool] = []

    package init() {}

    package var count: Int { offsets.count }
    package var hasCompositionOffsets: Bool { !compositionOffsets.isEmpty }

    @inlinable package func compositionOffset(of sample: Int) -> Int32 {
        compositionOffsets.isEmpty ? 0 : compositionOffsets[sample]
    }

    @inlinable package func isSync(_ sample: Int) -> Bool { syncFlags.isEmpty || syncFlags[sample] }

    package func firstSyncSample(in range: Range<Int>) -> Int? {
        syncFlags.isEmpty ? range.first : syncFlags[range].firstIndex(of: true)
    }

    /// What the table costs in memory, for caches that are bounded in bytes.
    package var memoryByteCount: Int {
        offsets.memoryByteCount + byteCounts.count * 4 + durations.memoryByteCount + compositionOffsets.count * 4
            + syncFlags.count
    }

    /// Of all tracks of a movie together, because a few bytes can claim any number. A thirty-hour recording at
    /// 60 frames/s with 48 kHz audio stays below it.
    package static let maximumSampleCount = 16_000_000
}
