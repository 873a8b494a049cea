/// The media for which a viewer waits.
package enum AwaitedMedia: Sendable, Hashable {
    /// Every rendition has its first part.
    case firstPart
    /// The rendition has its first segment, which players without support for parts need.
    case firstSegment(rendition: String)
    case position(ReloadPosition, rendition: String)
    case part(LivePartAddress)
}
