/// When a rendition's segments begin and end.
package enum SegmentTimes: Sendable, Hashable {
    /// All last the same number of ticks, but for the last.
    case alike(duration: Int64)
    case timeline(SegmentTimeline)
}
