package import APIContract

/// The fields of a published video, in the export of its owner's data.
package struct OwnVideoFields: ObjectFields {
    package static let name = "OwnVideo"
    package static let fields = OwnVideoFields()

    package let id = Field<String>("id", "identifier of the video")
    package let name = Field<String>("name", "name of the video")
    package let publishedAt = Field<APITime>("publishedAt", "time of the publication")

    package init() {}
}
