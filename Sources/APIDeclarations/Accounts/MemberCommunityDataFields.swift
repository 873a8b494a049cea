package import APIContract

/// The fields of a member's activity in the community, in the export of the member's data.
package struct MemberCommunityDataFields: ObjectFields {
    package static let name = "MemberCommunityData"
    package static let meaning: String? =
        "activity of the member in the community, with at most 10,000 entries of each kind"
    package static let fields = MemberCommunityDataFields()

    package let videos = Field<[APIObject<OwnVideoFields>]>("videos", "newest published videos")
    package let likes = Field<[APIObject<OwnLikeFields>]>("likes", "newest likes")
    package let comments = Field<[APIObject<OwnCommentFields>]>("comments", "newest comments")
    package let reports = Field<[APIObject<OwnReportFields>]>("reports", "newest reports")
    package let followings = Field<[String]>("followings", "usernames of the members that the member follows")
    package let profile = Field<APIObject<OwnProfileFields>>("profile", "public part of the account")
    package let blocks = Field<[String]>("blocks", "usernames of the members that the member blocks")
    package let mutes = Field<[String]>("mutes", "usernames of the members that the member mutes")
    package let warnings = Field<[APIObject<ModerationRecordFields>]>(
        "warnings", "decisions of moderators about the member")

    package init() {}
}
