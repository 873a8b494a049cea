package import APIContract
import JSONDocument

/// The fields of a comment on a video, or of an answer to a comment.
package struct CommentFields: ObjectFields {
    package static let name = "Comment"
    package static let fields = CommentFields()

    package let id = Field<String>("id", "identifier of the comment", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let video = Field<String>("video", "ID of the video", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let parent = Field<String?>(
        "parent", "ID of the comment that it answers; null for a comment on the video itself",
        .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let author = Field<String?>(
        "author", "username of the author; null if the account was deleted, or the author's profile is hidden",
        .example("leo"))
    package let text = Field<String>("text", "text of the comment; empty for one that was deleted")
    package let state = Field<String>(
        "state", "state: shown, held until somebody approves it, hidden, or deleted while it has answers",
        .oneOf("shown", "held", "hidden", "deleted"))
    package let replyCount = Field<Int>("replyCount", "number of answers that are shown")
    package let writtenAt = Field<APITime>("writtenAt", "time at which it was written")
    package let editedAt = Field<APITime?>("editedAt", "time of the last change; null if it was not changed")
    package let authorPhoto = Field<String?>(
        "authorPhoto", "path of the author's photo, which changes with it, for members; null without one",
        .format("uri-reference"), .example("/api/v1/users/leo/photo?v=3f9a"))
    package let replies = Field<[APIObject<CommentFields>]>(
        "replies", "first answers; empty except in the list of a video's comments", .example(.array([])))

    package init() {}
}
