import Foundation
import RTSPProtocol

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The secret that authenticates operator requests: 256 random bits, as hexadecimal digits.
///
/// Nothing else identifies an operator. Behind a reverse proxy every request has the proxy's address and often a local
/// Host, and a browser on the server's own machine sends whatever a page tells it to.
package struct OperatorToken: Sendable, Hashable, CustomStringConvertible {
    /// The file's name in the data folder.
    package static let fileName = "operator-token"
    static let byteCount = 32
    static let digitCount = 2 * byteCount
    /// Limit of the file: the digits with a line end, and room for whatever an editor adds.
    private static let maximumFileByteCount = 128

    /// The token as 64 lower-case hexadecimal digits.
    package let text: String

    /// Creates a random token.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<Self.byteCount).map { _ in
            let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Parses a token from a file or a variable, with optional white space around it; `nil` for anything else.
    package init?(parsing text: some StringProtocol) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.utf8.count == Self.digitCount, trimmed.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = trimmed.lowercased()
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }

    /// Compares in constant time, regardless of where the two differ.
    func matches(_ candidate: String) -> Bool { equalsInConstantTime(text, candidate.lowercased()) }

    /// A constant instead of the secret, because interpolated values end up in logs.
    package var description: String { "operator token" }

    // MARK: The server's file

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

    // MARK: A client's copy

    /// The reason why a token file cannot be used.
    package enum ReadingFailure: Error, Sendable, Hashable {
        case missing
        /// The file cannot be read; the value is the system's message.
        case unreadable(String)
        case damaged
    }

    /// Reads a token for a client. The file's permissions are not checked; only the server requires them.
    package static func read(path: String) throws(ReadingFailure) -> OperatorToken {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(reason(errno))
        }
        defer { close(descriptor) }
        guard let text = contents(of: descriptor) else { throw .unreadable(reason(errno)) }
        guard let token = OperatorToken(parsing: text) else { throw .damaged }
        return token
    }

    /// - Returns: `nil` if the file cannot be read; an empty string, which is not a token, if it is too long.
    private static func contents(of descriptor: CInt) -> String? {
        var bytes = [UInt8](repeating: 0, count: maximumFileByteCount + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return count > maximumFileByteCount ? "" : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }
}
