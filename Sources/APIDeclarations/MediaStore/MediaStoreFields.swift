package import APIContract

/// The fields of the state of the media store.
package struct MediaStoreFields: ObjectFields {
    package static let name = "MediaStore"
    package static let fields = MediaStoreFields()

    package let address = Field<String>(
        "address", "address of the media store, without credentials", .example("s3://club-media/antena"))
    package let destination = Field<String>(
        "destination", "place that files are moved to: the media store, or the folders of the server",
        .oneOf("store", "folder"))
    package let storedCount = Field<Int>("storedCount", "number of files in the media store", .minimum(0))
    package let storedByteCount = Field<Int>(
        "storedByteCount", "size of the files in the media store, in bytes", .minimum(0))
    package let waitingCount = Field<Int?>(
        "waitingCount", "number of files that can be moved now; null until they have been counted", .minimum(0))
    package let movedCount = Field<Int>(
        "movedCount", "number of files moved since the server started, or since the destination was chosen",
        .minimum(0))
    package let movedByteCount = Field<Int>("movedByteCount", "size of the moved files, in bytes", .minimum(0))
    package let error = Field<String?>("error", "reason why the last file could not be moved; null if it was")

    package init() {}
}
