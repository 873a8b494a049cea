/// The visibility of a video.
package enum VideoVisibility: String, Sendable, Hashable, CaseIterable {
    /// It is in lists.
    case `public`
    /// It is reached by its address only.
    case unlisted
}
