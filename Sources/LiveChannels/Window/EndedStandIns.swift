import MediaCore

/// The renditions of a continuing push after some stand-ins have ended.
struct EndedStandIns: Sendable {
    var ended: Set<RenditionID>
    var remaining: Set<RenditionID>
    /// The renditions of the push itself.
    var renditions: Set<RenditionID>
    var isSlate: Bool
}
