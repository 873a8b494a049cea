import GRDB

extension Catalogue {
    /// Explains an error of a database file: the path, the reason, and what to do.
    static func explanation(of error: DatabaseError, path: String) -> String {
        let reason = "\(error.message ?? "no reason given") (SQLite error \(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return """
                the catalogue \(path) is damaged: \(reason). Restore it from a backup; or move it away together with \
                \(path)-wal and \(path)-shm, and the library is built again from the media folder
                """
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            return """
                the catalogue \(path) cannot be opened for writing: \(reason). Check the permissions of the file and \
                its folder
                """
        case .SQLITE_FULL: return "the catalogue \(path) cannot be written: \(reason). Make room on the disk"
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return "the catalogue \(path) is in use: \(reason). End the program that holds it, such as a backup"
        default:
            return "the catalogue \(path) cannot be used: \(reason). Check the disk, or restore a backup"
        }
    }
}
