import Foundation
import ServerSettings

/// Finds the server that holds the lock of a data folder, without touching the lock.
enum RunningServer {
    /// The process that has locked the data folder; `nil` if none has.
    static func process(usingDataFolder path: String) -> Int32? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(DataDirectory.lockName)")
        guard let inode = (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value,
            let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        else { return nil }
        return holder(ofInode: inode, locks: locks)
    }

    /// The process that holds a lock of flock(2).
    ///
    /// - Parameters:
    ///   - inode: the number of the locked file. Its device is not compared, because some file systems show another
    ///     one here than stat(2) does.
    ///   - locks: lines of `/proc/locks` (proc_locks(5)): `1: FLOCK  ADVISORY  WRITE 308 fe:00:16220698 0 EOF`.
    static func holder(ofInode inode: UInt64, locks: String) -> Int32? {
        for line in locks.split(separator: "\n") {
            let fields = line.split(separator: " ")
            // A process that waits for a lock has an arrow as its second field.
            guard fields.count >= 6, fields[1] == "FLOCK", fields[3] == "WRITE",
                fields[5].split(separator: ":").last.flatMap({ UInt64($0) }) == inode
            else { continue }
            return Int32(fields[4])
        }
        return nil
    }
}
