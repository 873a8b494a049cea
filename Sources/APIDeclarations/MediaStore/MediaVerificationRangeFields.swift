package import APIContract
import JSONDocument

/// The fields of a request to compare some files in the media store.
package struct MediaVerificationRangeFields: ObjectFields {
    package static let name = "MediaVerificationRange"
    package static let fields = MediaVerificationRangeFields()

    package let after = Field<String?>(
        "after", "`last` of the previous answer; null or missing for the first files", .optional)
    package let readsContent = Field<Bool>(
        "readsContent", "whether all of each file is read and its checksum compared; otherwise size and version are",
        .optional, .standard(.boolean(false)))

    package init() {}
}
