package import APIContract

/// The fields of a member's public profile.
package struct MemberProfileFields: ObjectFields {
    package static let name = "MemberProfile"
    package static let fields = MemberProfileFields()

    package let username = Field<String>("username", "username of the member", .example("ana"))
    package let videos = Field<Int>("videos", "number of the member's videos that lists show")
    package let followers = Field<Int>("followers", "number of members who follow the member")
    package let followings = Field<Int>("followings", "number of members that the member follows")
    package let followed = Field<Bool?>(
        "followed", "whether the sender follows the member; null for the sender, and for strangers")
    package let about = Field<String>("about", "the member's description of themselves; empty for none")
    package let visibility = Field<String>("visibility", "audience of the profile", .oneOf("everybody", "members"))
    package let blocked = Field<Bool>("blocked", "whether the sender blocks the member")
    package let muted = Field<Bool>("muted", "whether the sender mutes the member")
    package let photo = Field<String?>(
        "photo", "path of the member's photo, which changes with it, for members; null without one",
        .format("uri-reference"), .example("/api/v1/users/ana/photo?v=3f9a"))

    package init() {}
}
