package import APIContract

/// The fields of a title whose file was just uploaded.
package struct UploadedTitleFields: ObjectFields {
    package static let name = "UploadedTitle"
    package static let base: (any ObjectFields.Type)? = TitleFields.self
    package static let fields = UploadedTitleFields()

    package let job = Field<APIObject<JobFields>?>("job", "running or queued job of the title; null if there is none")

    package init() {}
}
