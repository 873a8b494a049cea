import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder, or the nearest folder above it that exists, in which a server would create it.
struct ExistingFolder {
    /// The absolute path.
    let path: String
    /// Whether the folder that was asked for exists.
    let isFolderItself: Bool

    init(of path: String) {
        let names = URL(filePath: path).standardizedFileURL.absoluteURL.pathComponents.filter { $0 != "/" }
        // The root exists.
        let count = (0...names.count).last { access(Self.path(names.prefix($0)), F_OK) == 0 } ?? 0
        self.path = Self.path(names.prefix(count))
        isFolderItself = count == names.count
    }

    private static func path(_ names: ArraySlice<String>) -> String { "/" + names.joined(separator: "/") }

    /// Whether this process may create files in the folder.
    var isWritable: Bool { isFolder && access(path, W_OK | X_OK) == 0 }

    var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
