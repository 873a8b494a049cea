/// The names that recordings have in the library.
package enum RecordingName {
    /// The channel of which a file was recorded.
    ///
    /// - Parameter file: a file's name in the library.
    /// - Returns: `nil` for a file that is no recording.
    package static func channel(ofFile file: String) -> String? {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, "\(parts[0])/" == RecordingFolder.libraryPrefix, !parts[1].isEmpty else { return nil }
        return String(parts[1])
    }
}
