package import APIContract

/// The fields of a change of the sender's own comment.
package struct CommentChangeFields: ObjectFields {
    package static let name = "CommentChange"
    package static let isClosed = true
    package static let fields = CommentChangeFields()

    package let text = Field<String>(
        setting: CommentFields.fields.text, "new text of the comment", .minimumLength(1), .maximumLength(10000))

    package init() {}
}
