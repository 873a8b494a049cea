import MediaStorage
import NIOCore
import Synchronization

/// A store that fails when the test says so.
final class FaultyStore: MediaStore {
    enum Fault: Sendable, Hashable {
        case put, head, delete
        /// Says that it has another checksum than the file.
        case wrongChecksum
        /// Sends other bytes than were put.
        case otherBytes
    }

    private let base: any MediaStore
    private let faults = Mutex<Set<Fault>>([])
    private let onPut = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ base: any MediaStore) { self.base = base }

    func fail(_ faults: Set<Fault>) { self.faults.withLock { $0 = faults } }
    /// Calls a function after each put, before the caller hears of it.
    func afterPut(_ body: (@Sendable () -> Void)?) { onPut.withLock { $0 = body } }

    private func has(_ fault: Fault) -> Bool { faults.withLock { $0.contains(fault) } }

    private func check(_ fault: Fault) throws {
        if has(fault) { throw MediaStorageError(.unavailable, "the test says so") }
    }

    func put(fileAt path: String, as key: String, contentType: String) async throws -> StoredObject {
        try check(.put)
        let object = try await base.put(fileAt: path, as: key, contentType: contentType)
        onPut.withLock { $0 }?()
        return object
    }

    func read(
        _ key: String, range: Range<Int64>, version: String?, _ body: (ByteBuffer) async throws -> Void
    ) async throws {
        try await base.read(key, range: range, version: version) { piece in
            try await body(has(.otherBytes) ? ByteBuffer(bytes: piece.readableBytesView.map { $0 ^ 1 }) : piece)
        }
    }

    func head(_ key: String) async throws -> StoredObject? {
        try check(.head)
        var object = try await base.head(key)
        if has(.wrongChecksum) { object?.sha256 = "0" }
        return object
    }

    func list(prefix: String, after: String?, limit: Int) async throws -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: String) async throws {
        try check(.delete)
        try await base.delete(key)
    }

    func copy(_ key: String, to other: String) async throws { try await base.copy(key, to: other) }
}
