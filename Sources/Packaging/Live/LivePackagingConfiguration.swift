import MediaCore

/// The lengths of a live channel's parts and segments. They are fixed while the channel's playlists live, because the
/// target duration of a playlist must not change (draft-pantos-hls-rfc8216bis §6.2.1).
package struct LivePackagingConfiguration: Sendable, Hashable {
    /// The part target duration (PART-TARGET), in seconds.
    package var partDuration: Double
    /// The intended segment duration in seconds: a segment closes at the first key frame at or after it.
    package var segmentDuration: Double
    /// The target duration (EXT-X-TARGETDURATION), in seconds. A segment in which no key frame arrives closes here,
    /// plus ``KeyFrameMeter/grace``.
    package var targetDuration: Int
    /// The number of segments that a live playlist lists at least (HLS Authoring Specification 8.11).
    package var minimumSegmentCount: Int

    package init(
        partDuration: Double = 0.5, segmentDuration: Double = 2, targetDuration: Int = 6, minimumSegmentCount: Int = 6
    ) {
        self.partDuration = partDuration
        self.segmentDuration = segmentDuration
        self.targetDuration = targetDuration
        self.minimumSegmentCount = minimumSegmentCount
    }
}
