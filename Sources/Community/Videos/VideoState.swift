/// Whether a video is shown. Who finds it is separate from this, and comes back unchanged.
package enum VideoState: String, Sendable, Hashable, CaseIterable {
    case shown
    /// Was hidden by reports or by a moderator.
    case hidden
}
