/// The result of comparing files in the media store with what was put.
package struct MediaVerification: Sendable, Equatable {
    /// The number of files that are as they were put.
    package var fileCount = 0
    /// The size of those files in bytes.
    package var byteCount: Int64 = 0
    /// The problems of the others, a sentence each.
    package var problems: [String] = []
    /// The last file that was compared, after which the next call goes on; `nil` if there was no file.
    package var last: String?
    /// True if there are no more files.
    package var isComplete = true
}
