import LibraryCore
import LibraryDetails
import MediaCore
import MediaFolders

extension NamedDetails {
    /// - Parameters:
    ///   - fileName: the file's path relative to the section's folder.
    ///   - section: the section.
    init(fileName: String, in section: LibrarySection) {
        var path = fileName.pathComponents.map(String.init)
        // Recordings are already named after their channel and time.
        guard path.first != MediaFolder.recordingsPrefix, let last = path.popLast() else {
            self = NamedDetails()
            return
        }
        path.append(MediaKind.stem(of: last))
        self = section == .titles ? .ofTitle(path) : .ofTrack(path)
    }
}
