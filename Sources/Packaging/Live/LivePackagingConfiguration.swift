import MediaCore

/// How a channel is cut. Fixed while its playlists live: players stop where a target duration changes (hls-rules,
/// "Low latency").
package struct LivePackagingConfiguration: Sendable, Hashable {
    /// Seconds: PART-TARGET.
    package var partDuration: Double
    /// Seconds: a segment closes at the first key frame at or after it.
    package var segmentDuration: Double
    /// Seconds: EXT-X-TARGETDURATION. A segment that finds no key frame closes here. See
    /// ``KeyFrameMeter/grace``.
    package var targetDuration: Int
    /// hls-rules 8.11
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
