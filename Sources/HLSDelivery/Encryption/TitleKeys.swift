import Crypto
import Foundation
package import Logging
import LogMetadata
package import MediaCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The encryption settings and keys of titles, stored in a folder that only the server's user may read.
///
/// A title with encryption turned on has a file with its key, and an empty one beside it if it is encrypted with
/// `cbcs`; a title with encryption turned off has an empty file. All other titles follow the configuration, with keys
/// derived from the server's secret: a library of thousands needs no file for each, and a change of the default takes
/// effect at once.
///
/// A title whose key file is damaged or not readable is not served until the file has been restored or replaced.
package final class TitleKeys: Sendable {
    private let directory: String
    /// The method for titles without a setting of their own; `nil` if they are in the clear.
    private let defaultMethod: Mutex<EncryptionMethod?>
    /// Signs tokens and derives keys; generated at the first start.
    let secret: SymmetricKey
    private let choices: Mutex<[String: Choice]>
    /// Held while files change, so that a title's files and ``choices`` stay consistent.
    private let writing = Mutex(())

    private enum Choice {
        case encrypted(TitleKey)
        case clear
        /// The key file does not contain a key.
        ///
        /// - Parameter method: what was encrypted with it.
        case damaged(TitleKeyError, _ method: EncryptionMethod)
    }

    private static let secretName = "secret"
    private static let secretByteCount = 32
    private static let keyEnding = ".key"
    private static let clearEnding = ".clear"
    /// A version of the server that does not know this file encrypts the title in its own way.
    private static let samplesEnding = ".cbcs"

    /// Reads all keys; blocks.
    ///
    /// - Throws: ``TitleKeyError`` if the folder or the secret cannot be used. A damaged key only affects its title.
    package init(
        directory: String, defaultMethod: EncryptionMethod? = nil, logger: Logger = Logger(label: "antena.keys")
    ) throws(TitleKeyError) {
        self.directory = directory
        self.defaultMethod = Mutex(defaultMethod)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw TitleKeyError("the folder \(directory) cannot be created: \(KeyFile.reason(errno))")
        }
        secret = try Self.loadSecret(path: "\(directory)/\(Self.secretName)")
        let known = try Self.loadChoices(directory: directory)
        for case (let id, .damaged(let error, _)) in known {
            logger.error(
                "title key is damaged; title cannot be served", metadata: [.titleID: "\(id)", .error: "\(error)"])
        }
        choices = Mutex(known)
    }

    private static func loadSecret(path: String) throws(TitleKeyError) -> SymmetricKey {
        switch KeyFile.read(path, byteCount: secretByteCount) {
        case .success(let bytes): return SymmetricKey(data: bytes)
        case .failure(.missing):
            let secret = SymmetricKey(size: .bits256)
            try KeyFile.write(secret.withUnsafeBytes(Array.init), to: path)
            try KeyFile.synchronizeFolder(of: path)
            return secret
        case .failure(.unusable(let reason)):
            throw TitleKeyError(
                """
                \(path) cannot be used: \(reason). It holds the secret that title keys are derived from. Restore it \
                from a backup. Without a backup, delete the file: Antena makes a new secret, titles that are encrypted by \
                default get new keys, and players in the middle of an encrypted title have to start it again.
                """)
        }
    }

    private static func loadChoices(directory: String) throws(TitleKeyError) -> [String: Choice] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw TitleKeyError("the folder \(directory) cannot be read: \(FileErrorText(error))")
        }
        let sampleTitles = Set(
            names.filter { $0.hasSuffix(samplesEnding) }.map { String($0.dropLast(samplesEnding.count)) })
        var known: [String: Choice] = [:]
        // The order matters: a crash between writing the two files of a setting leaves the title encrypted.
        for name in names.sorted() {
            if name.hasSuffix(clearEnding) {
                known[String(name.dropLast(clearEnding.count))] = .clear
            } else if name.hasSuffix(keyEnding) {
                let id = String(name.dropLast(keyEnding.count))
                known[id] = loadKey(
                    path: "\(directory)/\(name)", title: id, method: sampleTitles.contains(id) ? .cbcs : .aes128)
            }
        }
        return known
    }

    private static func loadKey(path: String, title id: String, method: EncryptionMethod) -> Choice {
        switch KeyFile.read(path, byteCount: TitleKey.byteCount) {
        case .success(let bytes): return .encrypted(TitleKey(bytes: bytes, method: method))
        case .failure(let failure):
            return .damaged(
                TitleKeyError(
                    "the key file \(path) cannot be used: \(failure.reason); restore it from a backup, or make a new key "
                        + "with \"antena encrypt \(id)\""),
                method)
        }
    }

    /// Sets how titles without a setting of their own are encrypted; takes effect at once.
    package func setDefault(_ method: EncryptionMethod?) { defaultMethod.withLock { $0 = method } }

    /// The key of a title.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - revision: the revision of the title's file, so that a replaced file gets another key unless the title has
    ///     its own.
    /// - Returns: `nil` if the title is not encrypted.
    /// - Throws: ``TitleKeyError`` if the title's key is damaged; the title must not be served then.
    package func key(ofTitle id: String, revision: String) throws(TitleKeyError) -> TitleKey? {
        switch choices.withLock({ $0[id] }) {
        case .encrypted(let key): return key
        case .clear: return nil
        case .damaged(let error, _): throw error
        case nil: return currentDefault.map { derivedKey(ofTitle: id, revision: revision, $0) }
        }
    }

    /// The encryption of a title, with a token for players that is valid from now on.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - revision: the revision of the title's file.
    ///   - now: the current time.
    /// - Returns: `nil` if the title is not encrypted.
    /// - Throws: ``TitleKeyError`` if the title's key is damaged; the title must not be served then.
    package func encryption(
        ofTitle id: String, revision: String, now: WallClockTime
    ) throws(TitleKeyError) -> TitleEncryption? {
        guard let key = try key(ofTitle: id, revision: revision) else { return nil }
        return TitleEncryption(key: key, secret: secret, now: now)
    }

    /// How a title is encrypted, also if its key is damaged; `nil` if it is not.
    package func method(ofTitle id: String) -> EncryptionMethod? {
        switch choices.withLock({ $0[id] }) {
        case .encrypted(let key): key.method
        case .damaged(_, let method): method
        case .clear: nil
        case nil: currentDefault
        }
    }

    /// Returns whether a title is encrypted; true if its key is damaged.
    package func isEncrypted(title id: String) -> Bool { method(ofTitle: id) != nil }

    /// Returns whether a title has a setting of its own.
    package func hasChoice(ofTitle id: String) -> Bool { choices.withLock { $0[id] != nil } }

    /// The problem of a title's key, for operators; `nil` if there is none.
    package func problem(ofTitle id: String) -> String? {
        guard case .damaged(let error, _) = choices.withLock({ $0[id] }) else { return nil }
        return error.description
    }

    /// Reads a damaged key file again, in case it has been restored; blocks.
    package func recover(title id: String) {
        writing.withLock { _ in
            guard case .damaged(_, let method) = choices.withLock({ $0[id] }) else { return }
            let choice = Self.loadKey(path: path(id, Self.keyEnding), title: id, method: method)
            choices.withLock { $0[id] = choice }
        }
    }

    private var currentDefault: EncryptionMethod? { defaultMethod.withLock(\.self) }

    /// Derives a title's key from the server's secret (HKDF, RFC 5869).
    private func derivedKey(ofTitle id: String, revision: String, _ method: EncryptionMethod) -> TitleKey {
        let purpose =
            switch method {
            case .aes128: "antena title key"
            case .cbcs: "antena title key cbcs"
            }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Array("\(purpose) \(revision) \(id)".utf8),
            outputByteCount: TitleKey.byteCount)
        return TitleKey(bytes: key.withUnsafeBytes(Array.init), method: method)
    }

    // MARK: Choosing

    /// The setting of a title.
    package enum Setting: Sendable, Hashable {
        case encrypted(EncryptionMethod)
        case clear
        /// The method in the configuration; also used when the title is deleted.
        case byDefault
    }

    /// Calls ``set(_:ofTitle:)`` on a thread that may block.
    ///
    /// - Throws: ``TitleKeyError``
    package func change(_ setting: Setting, ofTitle id: String) async throws {
        try await NIOThreadPool.singleton.runIfActive { try self.set(setting, ofTitle: id) }
    }

    /// Changes the setting of a title; blocks. A title that is already encrypted in the same way keeps its key unless
    /// the key is damaged.
    ///
    /// - Parameters:
    ///   - setting: the new setting.
    ///   - id: the title's ID.
    /// - Throws: ``TitleKeyError`` if the setting cannot be stored.
    package func set(_ setting: Setting, ofTitle id: String) throws(TitleKeyError) {
        guard !id.isEmpty, !id.hasPrefix("."), !id.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            throw TitleKeyError("a title's id cannot be \(id)")
        }
        try writing.withLock { _ throws(TitleKeyError) in try choose(setting, title: id) }
    }

    private func choose(_ setting: Setting, title id: String) throws(TitleKeyError) {
        let (keyPath, clearPath) = (path(id, Self.keyEnding), path(id, Self.clearEnding))
        let samplesPath = path(id, Self.samplesEnding)
        switch (setting, choices.withLock { $0[id] }) {
        case (.encrypted(let method), .encrypted(let key)) where key.method == method: return
        case (.clear, .clear), (.byDefault, nil): return
        case (.encrypted(let method), _):
            let key = TitleKey.random(method)
            // A crash in between leaves the title encrypted, in one way or the other.
            if method == .cbcs { try KeyFile.write([], to: samplesPath) }
            try KeyFile.write(key.bytes, to: keyPath)
            if method == .aes128 { try KeyFile.delete(samplesPath) }
            choices.withLock { $0[id] = .encrypted(key) }
            // An empty file has no meaning beside a key.
            try KeyFile.delete(clearPath)
        case (.clear, _):
            try KeyFile.write([], to: clearPath)
            try KeyFile.delete(keyPath)
            try KeyFile.delete(samplesPath)
            choices.withLock { $0[id] = .clear }
        case (.byDefault, _):
            try KeyFile.delete(keyPath)
            try KeyFile.delete(samplesPath)
            try KeyFile.delete(clearPath)
            choices.withLock { $0[id] = nil }
        }
        try KeyFile.synchronizeFolder(of: keyPath)
    }

    private func path(_ id: String, _ ending: String) -> String { "\(directory)/\(id)\(ending)" }
}
