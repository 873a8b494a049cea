/// What the operator decides about the community.
package struct CommunitySettings: Sendable, Hashable {
    /// Number of members whose reports hide an item until a moderator has looked at it.
    package var reportThreshold: Int

    package static let reportThresholds = 1...1_000

    package init(reportThreshold: Int = 10) { self.reportThreshold = reportThreshold }
}
