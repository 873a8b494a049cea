package import APIContract

/// The fields of a like, in the export of a member's data.
package struct OwnLikeFields: ObjectFields {
    package static let name = "OwnLike"
    package static let fields = OwnLikeFields()

    package let video = Field<String>("video", "identifier of the video")
    package let likedAt = Field<APITime>("likedAt", "time of the like")

    package init() {}
}
