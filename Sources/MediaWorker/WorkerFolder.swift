import FoundationEssentials
import Glibc
import MediaCore

/// The folder of one job, which is the only place that its worker may write to. The server checks finished files and
/// moves them out; everything else in the folder is removed with it.
///
/// All calls wait for the disk, so they must not be made on actors or event loops.
final class WorkerFolder: Sendable {
    let path: String
    private let descriptor: Int32
    private let subfolder: (name: String, descriptor: Int32)?

    /// Prefix of the names of these folders. A folder that a crash leaves behind is removed at the next start.
    static let prefix = ".job-"

    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }

        init(_ doing: String, _ path: String) {
            description = "cannot \(doing) \(path): \(String(cString: strerror(errno)))"
        }
    }

    /// Makes an empty folder that only the server's own user may enter.
    ///
    /// - Parameter subfolder: the name of a folder to make in it; `nil` for none.
    init(in parent: String, subfolder name: String?) throws(Failure) {
        path = "\(parent)/\(Self.prefix)\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw Failure("make the folder", path) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            rmdir(path)
            throw Failure("open the folder", path)
        }
        self.descriptor = descriptor
        guard let name else {
            subfolder = nil
            return
        }
        var inner: Int32 = -1
        if mkdirat(descriptor, name, 0o700) == 0 {
            inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        guard inner >= 0 else {
            let failure = Failure("make the folder", "\(path)/\(name)")
            unlinkat(descriptor, name, AT_REMOVEDIR)
            rmdir(path)
            close(descriptor)
            throw failure
        }
        subfolder = (name, inner)
    }

    deinit {
        close(descriptor)
        if let subfolder { close(subfolder.descriptor) }
    }

    /// Moves the worker's output files to their final places: all of them, or none if one of them is not acceptable.
    ///
    /// - Throws: ``Failure`` for a file that is missing, too large, or not a regular file of this folder alone.
    func adopt(_ outputs: [WorkerOutput]) throws(Failure) {
        var adopted: [String] = []
        do throws(Failure) {
            for output in outputs where try adopt(output) { adopted.append(output.path) }
        } catch {
            for path in adopted { unlink(path) }
            throw error
        }
    }

    /// Moves one file. Returns false for an optional file that is missing.
    private func adopt(_ output: WorkerOutput) throws(Failure) -> Bool {
        // A task that can make subtitles has no folder for them if they were not requested.
        if subfolder == nil, !output.isRequired, !FilePathText.isName(output.name) { return false }
        let source = try place(of: output)
        // O_NONBLOCK, because opening a FIFO would wait for a writer.
        let file = openat(source.folder, source.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT, !output.isRequired { return false }
            throw errno == ENOENT
                ? Failure("the worker did not write its output")
                : Failure("the worker's output is not a plain file (\(String(cString: strerror(errno))))")
        }
        defer { close(file) }
        let status = try check(file, output)
        // A worker must not set bits such as set-user-id.
        if status.st_mode & 0o7777 & ~0o666 != 0 { _ = fchmod(file, status.st_mode & 0o644) }
        try move(source, to: output.path, expecting: status)
        return true
    }

    private func place(of output: WorkerOutput) throws(Failure) -> (folder: Int32, name: String) {
        if FilePathText.isName(output.name) { return (descriptor, output.name) }
        let name = FilePathText.name(of: output.name)
        guard let subfolder, FilePathText.folder(of: output.name) == subfolder.name, FilePathText.isName(name) else {
            throw Failure("\(output.name) is not a name in the job's folder")
        }
        return (subfolder.descriptor, name)
    }

    private func check(_ file: Int32, _ output: WorkerOutput) throws(Failure) -> stat {
        var (status, folder) = (stat(), stat())
        guard fstat(file, &status) == 0, fstat(descriptor, &folder) == 0 else { throw Failure("examine", output.name) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("the worker's output is not a plain file") }
        // A second hard link would be a file of somebody else, or a way to change this one later.
        guard status.st_nlink == 1, status.st_dev == folder.st_dev, status.st_uid == folder.st_uid else {
            throw Failure("the worker's output is not a file of its own")
        }
        guard Int64(status.st_size) <= output.maximumByteCount else {
            throw Failure("the worker's output is larger than its limit")
        }
        return status
    }

    private func move(
        _ source: (folder: Int32, name: String), to path: String, expecting status: stat
    ) throws(Failure) {
        let name = FilePathText.name(of: path)
        let parent = open(FilePathText.folder(of: path) ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw Failure("open the folder of", path) }
        defer { close(parent) }
        guard renameat(source.folder, source.name, parent, name) == 0 else { throw Failure("rename to", path) }
        // The name may have been given to something else between the check and the renaming.
        var moved = stat()
        guard fstatat(parent, name, &moved, AT_SYMLINK_NOFOLLOW) == 0, moved.st_ino == status.st_ino,
            moved.st_dev == status.st_dev, moved.st_nlink == 1
        else {
            unlinkat(parent, name, 0)
            throw Failure("the worker's output changed while it was taken over")
        }
        // The name must survive a power cut, too.
        guard fsync(parent) == 0 else { throw Failure("sync the folder of", path) }
    }

    /// Removes the folder with everything in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
