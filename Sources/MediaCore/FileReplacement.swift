import Foundation
import Synchronization

/// Replaces files in such a way that a reader and a crash see the old bytes or the new ones, however many tasks and
/// processes write at the same time. Blocks.
///
/// New bytes are written in the folder of the file under a hidden name that nobody else has, and renamed when they are
/// complete. What a crash leaves is removed before the next file is written in that folder. The file that is being
/// written is locked, which tells it from such a leftover.
package enum FileReplacement {
    /// Why a file could not be replaced.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        /// The path of the file.
        package var path: String
        /// The system's reason, a value of `errno`.
        package var number: Int32

        package var description: String { "\(path) cannot be written: \(FileErrorText.text(number))" }
    }

    /// Whether bytes must survive a power failure, or only a crash of the program.
    package enum Durability: Sendable {
        case onDisk
        case inCache
    }

    /// Replaces a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file. A symbolic link is replaced, not followed.
    ///   - bytes: all bytes of the file.
    ///   - permissions: those of the file, which nobody else can read before it has them.
    ///   - durability: whether it is flushed to disk, together with its name.
    ///   - prepare: changes owner or permissions by the descriptor before the file gets its name; returns false, with
    ///     the reason in `errno`, to leave the old file in place.
    /// - Throws: ``Failure``. The old file is still there then.
    package static func write(
        _ bytes: [UInt8], to path: String, permissions: UInt32 = 0o600, durability: Durability = .onDisk,
        prepare: (_ descriptor: Int32) -> Bool = { _ in true }
    ) throws(Failure) {
        for attempt in 1...attemptCount {
            let unfinished = unfinishedPath(for: path)
            let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                if errno == EEXIST, attempt < attemptCount { continue }
                throw Failure(path: path, number: errno)
            }
            _ = flock(descriptor, LOCK_EX | LOCK_NB)
            sweepOnce(folder(of: path), now: changeTime(path: unfinished))
            let isWritten =
                DescriptorBytes.writeAll(bytes, to: descriptor) && fchmod(descriptor, mode_t(permissions)) == 0
                && prepare(descriptor) && (durability == .inCache || fsync(descriptor) == 0)
                && rename(unfinished, path) == 0
            let number = errno
            if !isWritten { unlink(unfinished) }
            close(descriptor)
            guard isWritten else { throw Failure(path: path, number: number) }
            if durability == .onDisk { flushFolder(of: path) }
            return
        }
    }

    // MARK: Names

    /// Two random names of 64 bits are the same once in an age; then another one is tried.
    private static let attemptCount = 3
    private static let infix = ".new-"
    private static let suffixLength = 16
    /// Limit of the part of a name that is kept, so that the whole is a valid name (255 bytes on Linux).
    private static let maximumStemByteCount = 200

    /// A path for a file or folder that becomes another one when it is complete: hidden, in the same folder, and nobody
    /// else's.
    package static func unfinishedPath(for path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let stem = String(decoding: name.utf8.prefix(maximumStemByteCount), as: UTF8.self)
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let suffix = String(repeating: "0", count: suffixLength - digits.count) + digits
        return "\(folder(of: path))/.\(stem)\(infix)\(suffix)"
    }

    /// Whether a name is that of an unfinished file.
    package static func isUnfinished(name: String) -> Bool {
        guard name.hasPrefix("."), let range = name.range(of: infix, options: .backwards) else { return false }
        let suffix = name[range.upperBound...]
        return suffix.utf8.count == suffixLength && suffix.allSatisfy { $0.isHexDigit && $0.isASCII }
    }

    /// The folder of a path, without a slash at its end.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/." : String(path[..<slash])
    }

    /// Flushes the folder of a file, so that a power failure does not undo a rename. Some file systems do not support
    /// this; they keep their entries in order anyway.
    private static func flushFolder(of path: String) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    // MARK: What a crash leaves

    /// A file that is being made is not locked yet for a moment; younger ones are left alone.
    package static let youngestLeftover = Duration.seconds(60)
    /// Limit of the folders that are remembered as swept; others are swept each time.
    private static let maximumFolderCount = 10_000
    private static let swept = Mutex<Set<String>>([])

    /// Sweeps a folder when this process writes its first file in it.
    private static func sweepOnce(_ folder: String, now: WallClockTime?) {
        let isNew = swept.withLock { folders in
            if folders.count >= maximumFolderCount { folders = [] }
            return folders.insert(folder).inserted
        }
        if isNew, let now { sweep(folder, now: now) }
    }

    /// Removes the unfinished files and folders in a folder that nobody is writing any more.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - now: the time by which their age is judged, by the clock of the file system.
    /// - Returns: the number that was removed.
    @discardableResult
    package static func sweep(_ folder: String, now: WallClockTime) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var count = 0
        for name in names where isUnfinished(name: name) {
            let path = "\(folder)/\(name)"
            guard let changedAt = changeTime(path: path), changedAt + youngestLeftover < now else { continue }
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            if (try? FileManager.default.removeItem(atPath: path)) != nil { count += 1 }
        }
        return count
    }

    /// The time at which what has a path was last changed. A link is not followed.
    private static func changeTime(path: String) -> WallClockTime? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.modificationDate] as? Date).map { WallClockTime($0) }
    }

    /// Locks a folder that is being made under an unfinished path, so that nobody takes it for a leftover.
    ///
    /// - Returns: a descriptor to close when it has its name; -1 if there is no such folder.
    package static func lock(folder: String) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
        return descriptor
    }
}
