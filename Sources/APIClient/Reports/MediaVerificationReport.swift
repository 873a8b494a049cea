/// The output of `antena media verify`.
package struct MediaVerificationReport: Sendable, Hashable {
    /// Files that are as they were put.
    package var fileCount = 0
    package var byteCount = 0
    /// Files that are not.
    package var problemCount = 0

    package var text: String {
        "\(fileCount) files (\(byteCount >> 20) MiB) are as they were put; \(problemCount) are not"
    }
}
