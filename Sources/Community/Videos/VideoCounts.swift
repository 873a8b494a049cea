/// The counts of members' reactions to a video.
package struct VideoCounts: Sendable, Hashable {
    package var likes: Int64
    /// The comments that are shown.
    package var comments: Int64
    package var views: Int64

    package init(likes: Int64 = 0, comments: Int64 = 0, views: Int64 = 0) {
        (self.likes, self.comments, self.views) = (likes, comments, views)
    }
}
