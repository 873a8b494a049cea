import Foundation
import Packaging
import ServerSettings

/// Checks that the media folder can be read and written, and that its disk has space.
struct MediaFolderCheck: DoctorCheck {
    let name = "media folder"
    let path: String
    /// The reason why `antena serve` refuses the folder; `nil` if it does not.
    let obstacle: String?
    let exists: Bool
    let isWritable: Bool
    let freeByteCount: Int64?

    var finding: DoctorFinding {
        if let obstacle {
            return .problem(obstacle, remedy: "name an existing folder with --media, and let the server's user read it")
        }
        guard isWritable else {
            return .warning(
                "\(path) cannot be written by this user: uploads, imports and changes of titles are refused",
                remedy: "let the server's user write to it, unless it is meant to be read only")
        }
        return FreeSpace.finding(freeByteCount, in: path, addition: exists ? "" : "; it is created at the first start")
    }

    /// Examines the folder on the disk.
    static func examine(_ configuration: ServerConfiguration) -> MediaFolderCheck {
        let path = configuration.mediaDirectory
        var obstacle: String?
        do throws(SettingError) { try configuration.checkMediaDirectory() } catch { obstacle = error.description }
        let folder = ExistingFolder(of: path)
        return MediaFolderCheck(
            path: path, obstacle: obstacle, exists: folder.isFolderItself, isWritable: folder.isWritable,
            freeByteCount: DiskFile.freeByteCount(ofFolder: folder.path))
    }
}
