package import APIContract

/// The fields of a new comment.
package struct NewCommentFields: ObjectFields {
    package static let name = "NewComment"
    package static let isClosed = true
    package static let fields = NewCommentFields()

    package let text = Field<String>(
        setting: CommentFields.fields.text, "text of the comment", .minimumLength(1), .maximumLength(10000))
    package let parent = Field<String?>(
        setting: CommentFields.fields.parent, .optional, .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))

    package init() {}
}
