import GRDB

extension SQLError {
    /// Explains an error of a database file: the path, the reason, and what to do.
    init(sqlite error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = error as? SQLError ?? SQLError(.failed, "the database \(path) cannot be used: \(error)")
            return
        }
        let reason = "\(error.message ?? "no reason given") (SQLite error \(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self.init(
                .damaged,
                """
                the database \(path) is damaged: \(reason). Restore it from a backup; or move it away together with \
                \(path)-wal and \(path)-shm, and the library is built again from the media folder
                """)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            self.init(
                .notWritable,
                """
                the database \(path) cannot be opened for writing: \(reason). Check the permissions of the file and \
                its folder
                """)
        case .SQLITE_FULL:
            self.init(.diskFull, "the database \(path) cannot be written: \(reason). Make room on the disk")
        case .SQLITE_IOERR:
            self.init(.notWritable, "the database \(path) cannot be used: \(reason). Check the disk")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .unavailable,
                "the database \(path) is in use: \(reason). End the program that holds it, such as a backup")
        case .SQLITE_CONSTRAINT: self.init(.constraint, "the database \(path) refuses a change: \(reason)")
        // The pool was closed.
        case .SQLITE_MISUSE: self.init(.unavailable, "the database \(path) is closed")
        default:
            self.init(.failed, "the database \(path) cannot be used: \(reason). Check the disk, or restore a backup")
        }
    }
}
