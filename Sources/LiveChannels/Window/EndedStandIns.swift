import MediaCore

/// The renditions of a continuing push after some stand-ins have ended.
struct EndedStandIns: Sendable {
    var ended: Set<MediaType>
    var remaining: Set<MediaType>
    /// The media types of the push itself.
    var mediaTypes: Set<MediaType>
    var isSlate: Bool
}
