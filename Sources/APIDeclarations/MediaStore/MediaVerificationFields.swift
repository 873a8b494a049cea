package import APIContract

/// The fields of a comparison of files in the media store with what was put there.
package struct MediaVerificationFields: ObjectFields {
    package static let name = "MediaVerification"
    package static let fields = MediaVerificationFields()

    package let fileCount = Field<Int>("fileCount", "number of files that are as they were put", .minimum(0))
    package let byteCount = Field<Int>("byteCount", "size of these files in bytes", .minimum(0))
    package let problems = Field<[String]>("problems", "problems of the other files, a sentence each")
    package let last = Field<String?>(
        "last", "last file that was compared, after which the next request goes on; null if there was none")
    package let isComplete = Field<Bool>("isComplete", "whether there are no more files to compare")

    package init() {}
}
