import Crypto
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The keys of titles that are encrypted, a file each in a folder that only the server's user may read. A title is
/// encrypted if, and only if, it has a key.
package final class TitleKeys: Sendable {
    private let directory: String
    /// Signs tokens; made at the first start.
    let secret: SymmetricKey
    /// By title.
    private let keys: Mutex<[String: TitleKey]>

    private static let secretName = "secret"
    private static let secretByteCount = 32
    private static let ending = ".key"

    /// - Throws: ``TitleKeyError``
    package init(directory: String) throws(TitleKeyError) {
        self.directory = directory
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw TitleKeyError("the folder \(directory) cannot be made: \(Self.reason)")
        }
        let secretPath = "\(directory)/\(Self.secretName)"
        if let bytes = Self.read(secretPath), bytes.count == Self.secretByteCount {
            secret = SymmetricKey(data: bytes)
        } else {
            secret = SymmetricKey(size: .bits256)
            try Self.write(secret.withUnsafeBytes(Array.init), to: secretPath)
        }
        var known: [String: TitleKey] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        where name.hasSuffix(Self.ending) {
            guard let bytes = Self.read("\(directory)/\(name)"), bytes.count == TitleKey.byteCount else { continue }
            known[String(name.dropLast(Self.ending.count))] = TitleKey(bytes: bytes)
        }
        keys = Mutex(known)
    }

    package func key(ofTitle id: String) -> TitleKey? { keys.withLock { $0[id] } }

    /// A title that is encrypted already keeps its key.
    ///
    /// - Throws: ``TitleKeyError`` where the key cannot be kept; nothing has changed then.
    package func setEncrypted(_ isEncrypted: Bool, ofTitle id: String) throws(TitleKeyError) {
        guard !id.isEmpty, !id.hasPrefix("."), !id.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            throw TitleKeyError("a title's id cannot be \(id)")
        }
        let path = "\(directory)/\(id)\(Self.ending)"
        guard isEncrypted else {
            guard unlink(path) == 0 || errno == ENOENT else { throw TitleKeyError("\(path): \(Self.reason)") }
            keys.withLock { $0[id] = nil }
            return
        }
        guard key(ofTitle: id) == nil else { return }
        let key = TitleKey.random()
        try Self.write(key.bytes, to: path)
        keys.withLock { $0[id] = key }
    }

    // MARK: Files

    private static var reason: String { String(cString: strerror(errno)) }

    private static func read(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map(Array.init)
    }

    /// Whole or not at all, and nobody else's to read at any moment.
    private static func write(_ bytes: [UInt8], to path: String) throws(TitleKeyError) {
        let temporary = "\(path).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TitleKeyError("\(temporary) cannot be written: \(reason)") }
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let isClosed = close(descriptor) == 0
        guard isWritten, isClosed, rename(temporary, path) == 0 else {
            let reason = reason
            unlink(temporary)
            throw TitleKeyError("\(path) cannot be written: \(reason)")
        }
    }
}

/// A key that could not be kept; for operators.
package struct TitleKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
