import MediaCore

/// A sample as `trun` describes it (ISO/IEC 14496-12 §8.8.8).
package struct FragmentSample: Sendable, Hashable {
    /// Duration in ticks of the track's timescale.
    package var duration: UInt32
    /// The size of the sample's media in bytes.
    package var byteCount: UInt32
    /// Presentation time minus decode time, in ticks of the track.
    package var compositionOffset: Int32
    package var isSync: Bool

    package init(duration: UInt32, byteCount: UInt32, compositionOffset: Int32, isSync: Bool) {
        self.duration = duration
        self.byteCount = byteCount
        self.compositionOffset = compositionOffset
        self.isSync = isSync
    }

    /// Flags (ISO/IEC 14496-12 §8.8.3.1): sample_depends_on 2 for a sync sample, which needs no other; 1 with
    /// sample_is_non_sync_sample otherwise.
    var flags: UInt32 { isSync ? 0x0200_0000 : 0x0101_0000 }
}
