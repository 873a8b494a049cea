package import APIContract

/// The fields of the sender's own profile, and of its visibility.
package struct OwnProfileFields: ObjectFields {
    package static let name = "OwnProfile"
    package static let fields = OwnProfileFields()

    package let about = Field<String>(
        "about", "the member's description of themselves; empty for none", .maximumLength(2000))
    package let visibility = Field<String>("visibility", "audience of the profile", .oneOf("everybody", "members"))
    package let showsFollows = Field<Bool>("showsFollows", "whether others see who follows whom")
    package let showsLikes = Field<Bool>("showsLikes", "whether others see which videos the member likes")

    package init() {}
}
