/// The result of comparing files in the media store with what was put.
package struct MediaVerification: Sendable, Equatable {
    /// The number of files that are as they were put.
    package var fileCount = 0
    /// The size of those files in bytes.
    package var byteCount: Int64 = 0
    /// What is wrong with the others, a sentence each.
    package var problems: [String] = []
    /// Where the next call goes on; `nil` if there was no file.
    package var last: String?
    /// Whether there are no more files.
    package var isComplete = true
}
