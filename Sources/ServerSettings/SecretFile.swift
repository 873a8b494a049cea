import CDispatch
// The owner of `stat` is whichever of the two a compilation of the whole module loads first.
import CoreFoundation
import Foundation
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A secret of 256 bits in the data folder that only the server's user may read, such as the operator token.
package struct SecretFile: Sendable {
    private let name: String
    private let purpose: String
    private let remedy: String

    /// - Parameters:
    ///   - name: the name of the file in the data folder.
    ///   - purpose: what messages call the secret, such as "operator token".
    ///   - remedy: what to do if the file is damaged, for messages.
    package init(name: String, purpose: String, remedy: String) {
        (self.name, self.purpose, self.remedy) = (name, purpose, remedy)
    }

    private static let byteCount = 32
    private static let digitCount = 2 * byteCount
    /// Limit of the file: the digits with a line end, and room for whatever an editor adds.
    private static let maximumFileByteCount = 128

    /// Reads the secret of a data folder, or creates one at the first start. The caller holds the folder's lock.
    ///
    /// - Returns: 64 hexadecimal digits in lower case, and whether they were just created.
    /// - Throws: ``ServerStartError`` if the file is damaged, cannot be read or created, or is readable by other users.
    package func load(orMakeIn folder: String) throws(ServerStartError) -> (digits: String, isNew: Bool) {
        let path = "\(folder)/\(name)"
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure(path, "cannot be read: \(Self.reason(errno))") }
            return (try make(path: path), true)
        }
        defer { close(descriptor) }
        return (try read(descriptor, path: path), false)
    }

    private func read(_ descriptor: CInt, path: String) throws(ServerStartError) -> String {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, "cannot be read: \(Self.reason(errno))") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(path, "is not a regular file") }
        guard status.st_mode & 0o077 == 0 else {
            throw ServerStartError(
                "other users of this machine can read \(path), so they may know the \(purpose); \(remedy), or, if nobody "
                    + "else has read it, run: chmod 600 \(path)")
        }
        var bytes = [UInt8](repeating: 0, count: Self.maximumFileByteCount + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path, "cannot be read: \(Self.reason(errno))") }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(Self.isDigit) else {
            throw failure(path, "does not hold \(Self.digitCount) hexadecimal digits")
        }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Creates the file under a temporary name and renames it, so that it is either complete or absent.
    private func make(path: String) throws(ServerStartError) -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<Self.byteCount).map { _ in
            let text = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
        do {
            try FileReplacement.write(Array("\(digits)\n".utf8), to: path)
        } catch {
            throw cannotMake(path, error.number)
        }
        return digits
    }

    private func failure(_ path: String, _ what: String) -> ServerStartError {
        ServerStartError("the \(purpose) \(path) \(what); \(remedy)")
    }

    private func cannotMake(_ path: String, _ code: CInt) -> ServerStartError {
        ServerStartError(
            "the \(purpose) \(path) cannot be written: \(Self.reason(code)); choose another folder with --data")
    }

    private static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }
}
