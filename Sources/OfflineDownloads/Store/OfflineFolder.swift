import Foundation
import JSONDocument
package import MediaCore
import OfflineCopyFormat

/// The folder of the user's data in which the device, its settings and its copies are. Its calls block; nothing in it
/// can be read by other users of the machine.
package struct OfflineFolder: Sendable {
    package let path: String

    private var devicePath: String { "\(path)/device.json" }
    private var settingsPath: String { "\(path)/settings.json" }
    private var clockPath: String { "\(path)/clock.json" }
    private var copiesPath: String { "\(path)/copies" }

    /// - Parameter path: the folder, which is made when something is written.
    package init(path: String) { self.path = path }

    /// The folder of the user (XDG Base Directory Specification): `$XDG_DATA_HOME/antena/offline`.
    ///
    /// - Parameter environment: the environment variables of the process.
    package init(environment: [String: String]) {
        let configured = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = "\(configured ?? "\(environment["HOME"] ?? ".")/.local/share")/antena/offline"
    }

    // MARK: The device

    /// The device; `nil` if this folder has none.
    ///
    /// - Throws: ``DownloadError`` with `damaged`.
    package func device() throws -> DeviceIdentity? {
        guard let node = try Self.read(devicePath) else { return nil }
        guard let device = DeviceIdentity(node) else {
            throw DownloadError(
                .damaged, "\(devicePath) is damaged; register the device again with \"antena device add\"")
        }
        return device
    }

    func setDevice(_ device: DeviceIdentity) throws { try write(device.json, to: devicePath) }

    func removeDevice() throws {
        guard unlink(devicePath) == 0 || errno == ENOENT else { throw Self.failure(devicePath) }
    }

    // MARK: Settings

    /// Whether downloads that were interrupted go on by themselves.
    package func resumesByItself() throws -> Bool { try Self.read(settingsPath)?["resumesByItself"]?.boolean ?? true }

    package func setResumesByItself(_ isWanted: Bool) throws {
        try write(.object([("resumesByItself", .boolean(isWanted))]), to: settingsPath)
    }

    // MARK: The clock

    /// A clock that was set back by more than this is noticed.
    static let clockTolerance = Duration.seconds(5 * 60)

    /// The time by which the ends of rentals are judged: that of the machine, or the latest that was ever seen.
    ///
    /// - Parameters:
    ///   - wallClock: the machine's clock.
    ///   - heard: the time that a server has told; `nil` for none.
    package func time(_ wallClock: WallClock, heard: WallClockTime? = nil) throws -> (
        now: WallClockTime, isSetBack: Bool
    ) {
        let known = try Self.read(clockPath)?["latest"]?.integer.map {
            WallClockTime(millisecondsSince1970: Int64($0))
        }
        let machine = wallClock.now()
        let latest = [known, machine, heard].compactMap(\.self).max() ?? machine
        if latest != known {
            try write(.object([("latest", .integer(Int(latest.millisecondsSince1970)))]), to: clockPath)
        }
        return (latest, machine + Self.clockTolerance < latest)
    }

    // MARK: Copies

    /// All copies, by the ID of their folders.
    package func copies() throws -> [StoredCopy] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: copiesPath)) ?? []
        return names.filter(CopyManifest.isIdentifier).sorted().map { StoredCopy(path: "\(copiesPath)/\($0)") }
    }

    /// The folder of a copy, whether or not there is one.
    func copy(_ id: String) -> StoredCopy { StoredCopy(path: "\(copiesPath)/\(id)") }

    func makeCopies() throws { try Self.makeFolder(copiesPath) }

    // MARK: Files

    private func write(_ json: JSONText, to file: String) throws {
        try Self.makeFolder(path)
        try Self.write(Array(json.rendered.utf8), to: file)
    }

    static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DownloadError(.damaged, "the folder \(path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// Limit of a JSON file: the manifest of the largest copy has 5 MB.
    private static let maximumFileByteCount = 32 << 20

    /// - Returns: `nil` if there is no such file.
    static func read(_ path: String) throws -> JSONNode? {
        guard let bytes = try readBytes(path, maximumByteCount: maximumFileByteCount) else { return nil }
        guard let node = try? JSONParser.parse(bytes) else { throw DownloadError(.damaged, "\(path) is damaged") }
        return node
    }

    static func readBytes(_ path: String, maximumByteCount: Int) throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw failure(path) }
            return nil
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard let data = try? handle.read(upToCount: maximumByteCount + 1) else { return [] }
        guard data.count <= maximumByteCount else { throw DownloadError(.damaged, "\(path) is too large") }
        return Array(data)
    }

    /// Replaces a file, so that a reader or a crash sees the old bytes or the new ones. Only the user can read it.
    static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try FileReplacement.write(bytes, to: path)
        } catch {
            throw DownloadError(.damaged, "\(error.path): \(FileErrorText.text(error.number))")
        }
    }

    /// Writes all bytes at a position.
    static func put(_ bytes: [UInt8], into file: Int32, at offset: Int64, _ path: String) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    file, buffer.baseAddress.map { $0 + written }, bytes.count - written, off_t(offset) + off_t(written)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            written += count
        }
    }

    static func failure(_ path: String) -> DownloadError {
        DownloadError(.damaged, "\(path): \(String(cString: strerror(errno)))")
    }
}
