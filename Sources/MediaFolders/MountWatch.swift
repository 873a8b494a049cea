import Foundation
import Glibc
import MediaCore
import Synchronization

/// Detects when something is mounted or unmounted at, below or above folder trees, which inotify does not report.
final class MountWatch: Sendable {
    /// A descriptor that becomes ready with `POLLPRI` whenever a mount of this process's namespace changes
    /// (proc_pid_mountinfo(5)).
    let descriptor: Int32
    private let roots: [String]
    private let known: Mutex<[Set<String>]>

    private static let path = "/proc/self/mountinfo"

    /// Reads the current mounts. Blocks.
    ///
    /// - Parameter paths: the paths of the trees, which are numbered in this order.
    init?(paths: [String]) {
        descriptor = open(Self.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        roots = paths.map(Self.canonical)
        let table = Self.table()
        known = Mutex(roots.map { Self.mounts(of: $0, in: table) })
    }

    deinit { close(descriptor) }

    /// Reads the mounts again.
    ///
    /// - Returns: the numbers of the trees whose mounts have changed since the previous call.
    func takeChangedTrees() -> [Int] {
        let table = Self.table()
        let now = roots.map { Self.mounts(of: $0, in: table) }
        return known.withLock { known in
            defer { known = now }
            return now.indices.filter { now[$0] != known[$0] }
        }
    }

    /// The mounts: each with its number, and the folder that it covers.
    private static func table() -> [(line: String, folder: String)] {
        // Files in /proc do not have a size, so they are read to the end.
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() else { return [] }
        try? handle.close()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4 else { return nil }
            return ("\(fields[0]) \(fields[4])", unescaped(fields[4]))
        }
    }

    /// Decodes escaped characters: blanks and backslashes are written as three octal digits.
    static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, let value = UInt8(String(Substring(digits)), radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func mounts(of root: String, in table: [(line: String, folder: String)]) -> Set<String> {
        Set(
            table.filter { mount in
                mount.folder == root || mount.folder == "/" || mount.folder.path(below: root) != nil
                    || root.path(below: mount.folder) != nil
            }.map(\.line))
    }

    private static func canonical(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
