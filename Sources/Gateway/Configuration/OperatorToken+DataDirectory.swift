package import APIContract
import CDispatch
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The operator token in a server's data folder.
extension OperatorToken {
    /// Reads the token of a data folder, or creates one at the first start. The caller holds the folder's lock.
    ///
    /// - Returns: the token, and whether it was just created.
    /// - Throws: ``ServerStartError`` if the file is damaged, cannot be read or created, or is readable by other users.
    package static func load(
        orMakeIn folder: String
    ) throws(ServerStartError) -> (token: OperatorToken, isNew: Bool) {
        let path = "\(folder)/\(fileName)"
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure(path, "cannot be read: \(reason(errno))") }
            return (try make(path: path, folder: folder), true)
        }
        defer { close(descriptor) }
        return (try read(descriptor, path: path), false)
    }

    private static func read(_ descriptor: CInt, path: String) throws(ServerStartError) -> OperatorToken {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, "cannot be read: \(reason(errno))") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(path, "is not a regular file") }
        guard status.st_mode & 0o077 == 0 else {
            throw ServerStartError(
                "other users of this machine may read \(path), so they may know the operator token; delete the file, "
                    + "and the server makes a new one, or, if nobody else has read it, run: chmod 600 \(path)")
        }
        guard let token = contents(of: descriptor).flatMap({ OperatorToken(parsing: $0) }) else {
            throw failure(path, "does not hold \(digitCount) hexadecimal digits")
        }
        return token
    }

    /// Creates the file under a temporary name and renames it, so that it is either complete or absent.
    private static func make(path: String, folder: String) throws(ServerStartError) -> OperatorToken {
        let token = OperatorToken()
        let unfinished = "\(path).unfinished"
        // A leftover of an interrupted start; nobody else writes here while the folder is locked.
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannotMake(path, errno) }
        let bytes = Array("\(token.text)\n".utf8)
        let isWritten =
            fchmod(descriptor, 0o600) == 0 && write(descriptor, bytes, bytes.count) == bytes.count
            && fsync(descriptor) == 0
        let failure = errno
        close(descriptor)
        guard isWritten, rename(unfinished, path) == 0 else {
            let code = isWritten ? errno : failure
            unlink(unfinished)
            throw cannotMake(path, code)
        }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 {
            fsync(directory)
            close(directory)
        }
        return token
    }

    private static func failure(_ path: String, _ what: String) -> ServerStartError {
        ServerStartError("the operator token \(path) \(what); delete it, and the server makes a new one")
    }

    private static func cannotMake(_ path: String, _ code: CInt) -> ServerStartError {
        ServerStartError(
            "the operator token \(path) cannot be written: \(reason(code)); choose another folder with --data")
    }

    private static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }
}
