package import APIContract

/// The fields of a comment, in the export of its author's data.
package struct OwnCommentFields: ObjectFields {
    package static let name = "OwnComment"
    package static let fields = OwnCommentFields()

    package let id = Field<String>("id", "identifier of the comment")
    package let video = Field<String>("video", "identifier of the video")
    package let text = Field<String>("text", "text of the comment")
    package let writtenAt = Field<APITime>("writtenAt", "time of the comment")

    package init() {}
}
