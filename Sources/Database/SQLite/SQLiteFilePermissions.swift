#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The permissions of a database file.
enum SQLiteFilePermissions {
    /// Keeps other users of the machine out of a database, which holds the hashes of passwords. SQLite gives the files
    /// beside it the same permissions. A file of somebody else stays as it is.
    static func restrict(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0 {
            for name in [path, "\(path)-wal", "\(path)-shm"] { chmod(name, status.st_mode & 0o700) }
        }
        close(descriptor)
    }
}
