/// What the operator decides about the community.
package struct CommunitySettings: Sendable, Hashable {
    /// Number of members whose reports hide an item until a moderator has looked at it.
    package var reportThreshold: Int
    /// Whether the comments of an account that is deleted stay, without a name.
    package var commentsStay: Bool

    package static let reportThresholds = 1...1_000

    package init(reportThreshold: Int = 10, commentsStay: Bool = false) {
        (self.reportThreshold, self.commentsStay) = (reportThreshold, commentsStay)
    }
}
