import Foundation
import Synchronization

/// The bytes of a copy and the map of its chunks, open for a download. Its calls block.
final class CopyFile: Sendable {
    private let path: String
    private let bytes: Int32
    private let chunks: Int32
    private let lock: Int32
    private let state: Mutex<ChunkMap>

    /// Takes over the descriptors, and closes them at the end.
    init(path: String, bytes: Int32, chunks: Int32, lock: Int32, map: ChunkMap) {
        (self.path, self.bytes, self.chunks, self.lock) = (path, bytes, chunks, lock)
        state = Mutex(map)
    }

    deinit {
        for file in [bytes, chunks, lock] where file >= 0 { close(file) }
    }

    var map: ChunkMap { state.withLock { $0 } }

    /// Writes a chunk that was verified, and then notes that it is good.
    func write(_ chunk: [UInt8], index: Int, at offset: Int64) throws {
        try OfflineFolder.put(chunk, into: bytes, at: offset, path)
        try state.withLock { map in
            map.insert(index)
            try OfflineFolder.put([map.bytes[index / 8]], into: chunks, at: Int64(index / 8), path)
        }
    }

    /// Brings everything to the disk.
    func synchronize() throws {
        guard fsync(bytes) == 0, fsync(chunks) == 0 else { throw OfflineFolder.failure(path) }
    }
}
