import Foundation
import JSONDocument
import OfflineCopyFormat

/// The folder of one copy. Its calls block.
package struct StoredCopy: Sendable, Hashable {
    package let path: String

    /// The states that a user sees.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Nothing of it is here.
        case none
        case partial
        case downloaded
    }

    private var recordPath: String { "\(path)/copy.json" }
    var bytesPath: String { "\(path)/copy.bin" }
    private var mapPath: String { "\(path)/chunks" }
    private var keyPath: String { "\(path)/key.json" }
    private var rentalPath: String { "\(path)/rental.json" }
    /// The title's poster, whether or not there is one.
    package var posterPath: String { "\(path)/poster.jpg" }
    private var pausePath: String { "\(path)/paused" }
    private var lockPath: String { "\(path)/lock" }

    /// The ID of the copy.
    package var id: String { String(path.split(separator: "/").last ?? "") }
    package var exists: Bool { access(recordPath, F_OK) == 0 }
    /// Whether the bytes are here; somebody may have deleted them.
    package var hasBytes: Bool { access(bytesPath, F_OK) == 0 }
    package var hasPoster: Bool { access(posterPath, F_OK) == 0 }
    package var isPaused: Bool { access(pausePath, F_OK) == 0 }

    /// - Throws: ``DownloadError`` with `notFound` or `damaged`.
    package func record() throws -> CopyRecord {
        guard let node = try OfflineFolder.read(recordPath) else {
            throw DownloadError(.notFound, "there is no offline copy \(id); \"antena download list\" lists them")
        }
        guard let record = CopyRecord(stored: node), record.manifest.copy == id else {
            throw DownloadError(
                .damaged, "\(recordPath) is damaged; delete the copy with \"antena download delete \(id)\"")
        }
        return record
    }

    /// Writes what the server has said last; makes the folder if there is none.
    func setRecord(_ record: CopyRecord) throws {
        try OfflineFolder.makeFolder(path)
        try OfflineFolder.write(Array(record.json.rendered.utf8), to: recordPath)
    }

    /// The server's last answer about the rental.
    package func note() throws -> RentalNote {
        if let note = RentalNote(try OfflineFolder.read(rentalPath)) { return note }
        return try record().note
    }

    func setRental(_ rental: JSONNode) throws {
        try OfflineFolder.write(Array(JSONText(rental).rendered.utf8), to: rentalPath)
    }

    /// Limit of a poster; that of a server is a JPEG file of some hundred kilobytes.
    static let maximumPosterByteCount = 8 << 20

    /// Keeps a poster, or none.
    func setPoster(_ bytes: [UInt8]?) throws {
        if let bytes { return try OfflineFolder.write(bytes, to: posterPath) }
        guard unlink(posterPath) == 0 || errno == ENOENT else { throw OfflineFolder.failure(posterPath) }
    }

    package func setPaused(_ isPaused: Bool) throws {
        if isPaused { return try OfflineFolder.write([], to: pausePath) }
        guard unlink(pausePath) == 0 || errno == ENOENT else { throw OfflineFolder.failure(pausePath) }
    }

    func wrappedKey() throws -> (wrap: CopyKeyWrap, device: String)? {
        guard let node = try OfflineFolder.read(keyPath) else { return nil }
        guard let device = node["device"]?.string, let wrap = CopyKeyWrap(node) else {
            throw DownloadError(
                .damaged, "\(keyPath) is damaged; delete it, and play the copy while the server answers")
        }
        return (wrap, device)
    }

    func setWrappedKey(_ wrap: CopyKeyWrap, device: String) throws {
        try OfflineFolder.write(
            Array(JSONText.object([("device", .string(device))] + wrap.fields).rendered.utf8), to: keyPath)
    }

    package func state() throws -> (state: State, goodByteCount: Int64) {
        let record = try record()
        guard hasBytes else { return (.none, 0) }
        let map = try chunkMap(count: record.manifest.plan.count)
        let count = map.goodByteCount(record.manifest.plan.range(of:))
        return (map.isComplete ? .downloaded : count > 0 ? .partial : .none, count)
    }

    func chunkMap(count: Int) throws -> ChunkMap {
        ChunkMap(
            parsing: try OfflineFolder.readBytes(mapPath, maximumByteCount: ChunkPlan.maximumCount) ?? [], count: count)
    }

    /// Opens the bytes and the map for a download, which no other process may do at the same time.
    ///
    /// - Throws: ``DownloadError`` with `busy` or `damaged`.
    func openForWriting(_ plan: ChunkPlan) throws -> CopyFile {
        let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw OfflineFolder.failure(lockPath) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw DownloadError(.busy, "another process is downloading \(id)")
        }
        var map = try chunkMap(count: plan.count)
        // What is good is worth nothing if its bytes have gone.
        if !hasBytes { map = ChunkMap(count: plan.count) }
        let bytes = open(bytesPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let chunks = open(mapPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let file = CopyFile(path: bytesPath, bytes: bytes, chunks: chunks, lock: lock, map: map)
        guard bytes >= 0, chunks >= 0 else { throw OfflineFolder.failure(path) }
        try OfflineFolder.put(map.bytes, into: chunks, at: 0, mapPath)
        return file
    }

    /// Notes that a chunk is not what it was, so that it is fetched again.
    func noteCorrupt(_ index: Int, count: Int) throws {
        var map = try chunkMap(count: count)
        map.remove(index)
        try OfflineFolder.write(map.bytes, to: mapPath)
    }

    /// Deletes bytes, key, poster and everything else.
    package func delete() throws {
        do {
            // The key goes first: whatever interrupts this, the rest is worth nothing.
            unlink(keyPath)
            try FileManager.default.removeItem(atPath: path)
        } catch {
            guard access(path, F_OK) == 0 else { return }
            throw DownloadError(.damaged, "\(path) cannot be deleted: \(error.localizedDescription)")
        }
    }
}

extension CopyKeyWrap {
    /// The fields of the API's answer and of the file.
    fileprivate var fields: [JSONText.Field] {
        [
            ("encapsulatedKey", .string(Data(encapsulatedKey).base64EncodedString())),
            ("ciphertext", .string(Data(ciphertext).base64EncodedString())),
        ]
    }

    init?(_ node: JSONNode) {
        func bytes(_ name: String) -> [UInt8]? {
            node[name]?.string.flatMap { Data(base64Encoded: $0) }.flatMap {
                $0.count <= Self.maximumByteCount ? Array($0) : nil
            }
        }
        guard let encapsulated = bytes("encapsulatedKey"), let ciphertext = bytes("ciphertext") else { return nil }
        self.init(encapsulatedKey: encapsulated, ciphertext: ciphertext)
    }
}
