package import APIContract

/// The fields of a form with a file.
package struct FileFormFields: ObjectFields {
    package static let name = "FileForm"
    package static let fields = FileFormFields()

    package let file = Field<String>("file", "media file with its name", .minimumLength(1), .format("binary"))

    package init() {}
}
