import Packaging

/// Checks that the data folder can be written or created, and that its disk has space.
struct DataFolderCheck: DoctorCheck {
    let name = "data folder"
    let path: String
    let exists: Bool
    /// Whether the folder can be written; if it does not exist, whether it can be created.
    let isWritable: Bool
    let freeByteCount: Int64?
    /// The process of the server that uses the folder; `nil` if none does.
    let server: Int32?

    var finding: DoctorFinding {
        guard isWritable else {
            return .problem(
                "\(path) cannot be \(exists ? "written" : "created") by this user",
                remedy: "run as the server's user, let it write there, or choose another folder with --data")
        }
        var addition = exists ? "" : "; it is created at the first start"
        if let server { addition = "; the running server (process \(server)) uses it" }
        return FreeSpace.finding(freeByteCount, in: path, addition: addition)
    }

    /// Examines the folder on the disk.
    ///
    /// - Parameter server: the process of the server that uses the folder; `nil` if none does.
    static func examine(_ path: String, server: Int32?) -> DataFolderCheck {
        let folder = ExistingFolder(of: path)
        return DataFolderCheck(
            path: path, exists: folder.isFolderItself, isWritable: folder.isWritable,
            freeByteCount: DiskFile.freeByteCount(ofFolder: folder.path), server: server)
    }
}
