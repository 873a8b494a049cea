/// The operator's settings for the community.
package struct CommunitySettings: Sendable, Hashable {
    /// Number of members whose reports hide an item until a moderator has looked at it.
    package var reportThreshold: Int
    /// Whether the comments of an account that is deleted stay, without a name.
    package var commentsStay: Bool
    /// Words with which comments wait for approval, and other texts are refused.
    package var heldWords: HeldWords
    /// Whether reports count by the record of those who make them.
    package var weighsReports: Bool
    /// Bytes that the files of a member may have, of all videos together; 0 if members may send none.
    package var uploadQuota: Int64
    /// Images of the operator on public pages, in the order in which they are shown.
    package var banners: [CommunityBanner]

    package static let reportThresholds = 1...1_000

    package init(
        reportThreshold: Int = 10, commentsStay: Bool = false, heldWords: HeldWords = HeldWords(),
        weighsReports: Bool = false, uploadQuota: Int64 = 10 << 30, banners: [CommunityBanner] = []
    ) {
        (self.reportThreshold, self.commentsStay, self.heldWords) = (reportThreshold, commentsStay, heldWords)
        (self.weighsReports, self.uploadQuota, self.banners) = (weighsReports, uploadQuota, banners)
    }
}
