import Foundation

/// Finds out whether a file lies on a network file system, where SQLite's locks and its shared memory do not work.
enum NetworkFileSystem {
    private static let types: Set<String> = [
        "afs", "ceph", "cifs", "fuse.ceph", "fuse.davfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs",
        "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs",
    ]

    /// - Throws: ``SQLError`` if the file's folder lies on a network file system.
    static func refuse(_ path: String) throws(SQLError) {
        guard let fileSystem = type(of: path) else { return }
        throw SQLError(
            .invalidAddress,
            """
            the database \(path) lies on a network file system (\(fileSystem)), where SQLite's locks do not hold. \
            Put the data folder on a local disk, or use PostgreSQL with --database
            """)
    }

    /// The type of the network file system that the file's folder lies on; `nil` if it is a local one or not known.
    static func type(of path: String) -> String? {
        let folder = URL(filePath: path).deletingLastPathComponent().resolvingSymlinksInPath()
            .path(percentEncoded: false)
        guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else { return nil }
        return type(of: folder, mounts: mounts)
    }

    /// - Parameter mounts: lines of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
    static func type(of folder: String, mounts: String) -> String? {
        var best: (length: Int, type: String)?
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            // Optional fields end with a hyphen; the type follows.
            guard fields.count > 6, let hyphen = fields.dropFirst(6).firstIndex(of: "-"),
                hyphen + 1 < fields.endIndex
            else { continue }
            let mountPoint = unescaped(fields[4])
            guard contains(mountPoint, folder) else { continue }
            // Of two mounts at one place, the later one hides the earlier one.
            if mountPoint.utf8.count >= (best?.length ?? 0) {
                best = (mountPoint.utf8.count, String(fields[hyphen + 1]))
            }
        }
        return best.flatMap { types.contains($0.type) ? $0.type : nil }
    }

    private static func contains(_ mountPoint: String, _ folder: String) -> Bool {
        mountPoint == "/" || folder == mountPoint || folder.hasPrefix(mountPoint + "/")
    }

    /// The kernel writes spaces, tabs, line ends and backslashes in octal.
    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\040", with: " ").replacing("\\011", with: "\t").replacing("\\012", with: "\n")
            .replacing("\\134", with: "\\")
    }
}
