import Crypto
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Which titles are encrypted, and their keys, in a folder that only the server's user may read.
///
/// A title for which somebody has chosen encryption has a file with its key, one for which somebody has chosen none has
/// an empty one. All others are as the configuration says, with keys that are worked out from the server's secret: a
/// library of thousands needs no file for each, and the choice of them all takes effect, and goes, at once.
package final class TitleKeys: Sendable {
    private let directory: String
    /// Of titles for which nobody has chosen.
    private let encryptsByDefault: Bool
    /// Signs tokens; made at the first start.
    let secret: SymmetricKey
    private let choices: Mutex<[String: Choice]>

    private enum Choice {
        case encrypted(TitleKey)
        case clear
    }

    private static let secretName = "secret"
    private static let secretByteCount = 32
    private static let keyEnding = ".key"
    private static let clearEnding = ".clear"

    /// - Throws: ``TitleKeyError``
    package init(directory: String, encryptsByDefault: Bool = false) throws(TitleKeyError) {
        self.directory = directory
        self.encryptsByDefault = encryptsByDefault
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
        var known: [String: Choice] = [:]
        // In this order: a kill between the two files of a choice leaves the title encrypted.
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted() {
            if name.hasSuffix(Self.clearEnding) {
                known[String(name.dropLast(Self.clearEnding.count))] = .clear
            } else if name.hasSuffix(Self.keyEnding), let bytes = Self.read("\(directory)/\(name)"),
                bytes.count == TitleKey.byteCount
            {
                known[String(name.dropLast(Self.keyEnding.count))] = .encrypted(TitleKey(bytes: bytes))
            }
        }
        choices = Mutex(known)
    }

    /// - Parameter revision: of the title's file: another film of that name has another key, unless somebody has chosen.
    package func key(ofTitle id: String, revision: String) -> TitleKey? {
        switch choices.withLock({ $0[id] }) {
        case .encrypted(let key): key
        case .clear: nil
        case nil: encryptsByDefault ? derivedKey(ofTitle: id, revision: revision) : nil
        }
    }

    package func isEncrypted(title id: String) -> Bool {
        switch choices.withLock({ $0[id] }) {
        case .encrypted: true
        case .clear: false
        case nil: encryptsByDefault
        }
    }

    /// RFC 5869, from what nobody else knows.
    private func derivedKey(ofTitle id: String, revision: String) -> TitleKey {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Array("antena title key \(revision) \(id)".utf8),
            outputByteCount: TitleKey.byteCount)
        return TitleKey(bytes: key.withUnsafeBytes(Array.init))
    }

    /// A title for which encryption has been chosen already keeps its key.
    ///
    /// - Parameter isEncrypted: `nil` to leave it to the configuration, and with a title that goes.
    /// - Throws: ``TitleKeyError`` where the choice cannot be kept; nothing has changed then.
    package func setEncrypted(_ isEncrypted: Bool?, ofTitle id: String) throws(TitleKeyError) {
        guard !id.isEmpty, !id.hasPrefix("."), !id.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            throw TitleKeyError("a title's id cannot be \(id)")
        }
        let (keyPath, clearPath) = ("\(directory)/\(id)\(Self.keyEnding)", "\(directory)/\(id)\(Self.clearEnding)")
        switch (isEncrypted, choices.withLock { $0[id] }) {
        case (true, .encrypted), (false, .clear), (nil, nil): return
        case (true, _):
            let key = TitleKey.random()
            try Self.write(key.bytes, to: keyPath)
            // Beside a key it means nothing.
            unlink(clearPath)
            choices.withLock { $0[id] = .encrypted(key) }
        case (false, _):
            try Self.write([], to: clearPath)
            try Self.delete(keyPath)
            choices.withLock { $0[id] = .clear }
        case (nil, _):
            try Self.delete(keyPath)
            try Self.delete(clearPath)
            choices.withLock { $0[id] = nil }
        }
    }

    // MARK: Files

    private static var reason: String { String(cString: strerror(errno)) }

    private static func read(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map(Array.init)
    }

    private static func delete(_ path: String) throws(TitleKeyError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw TitleKeyError("\(path): \(reason)") }
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
