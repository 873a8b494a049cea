import Crypto
import Foundation
import Glibc
import LogMetadata
import Logging
import MediaCore
import NIOCore
import NIOPosix

extension RangeCache {
    /// A name that no other file has had: that of a file that is about to be removed must not be used again.
    static func fileName(_ name: CacheName) -> String {
        let hash = SHA256.hash(data: Data("\(name.key)\u{0}\(name.version)".utf8)).hexadecimalDigits.prefix(32)
        return "\(hash)-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }

    /// Makes an empty sparse file. Waits for the disk.
    static func makeFile(_ path: String, byteCount: Int64) throws {
        try LocalFile(path, flags: O_RDWR | O_CREAT | O_EXCL).truncate(to: byteCount)
    }

    func remove(_ paths: [String]) async {
        _ = try? await threads.blocking {
            // A file that stays is removed at the next start.
            for path in paths { try? LocalFile.remove(path) }
        }
    }

    // MARK: Start

    /// Reads and removes the indexes of the last run, and the files that have none: after a crash, nobody knows which
    /// of their blocks are complete.
    func load() async throws {
        let directory = directory
        let blockByteCount = settings.blockByteCount
        let found = try await threads.blocking {
            try LocalFile.makeFolder(directory)
            try Self.checkHoles(directory)
            return try Self.takeIndexes(directory, blockByteCount: blockByteCount)
        }
        let surplus = withState { state in
            for (path, index, blocks) in found { state.restore(index, blocks: blocks, path: path) }
            return state.evictSurplus(at: .zero)
        }
        await punch(surplus)
    }

    private static func checkHoles(_ directory: String) throws {
        let path = "\(directory)/\(UUID().uuidString)"
        defer { try? LocalFile.remove(path) }
        let file = try LocalFile(path, flags: O_RDWR | O_CREAT | O_EXCL)
        try file.write(ByteBuffer(repeating: 1, count: 4_096), at: 0)
        do {
            try file.punchHole(at: 0, byteCount: 4_096)
        } catch let error as MediaStorageError where error.systemError == EOPNOTSUPP {
            throw MediaStorageError(
                .localFile,
                "the file system of \(directory) cannot make holes in files; use ext4, XFS, Btrfs or tmpfs",
                systemError: EOPNOTSUPP)
        }
    }

    private static func takeIndexes(
        _ directory: String, blockByteCount: Int
    ) throws -> [(path: String, index: CacheIndex, blocks: [Int])] {
        let names = Set(try LocalFile.names(inFolder: directory))
        var found: [(path: String, index: CacheIndex, blocks: [Int])] = []
        for name in names where name.hasSuffix(CacheIndex.nameSuffix) {
            let file = String(name.dropLast(CacheIndex.nameSuffix.count))
            guard names.contains(file), let index = try? readIndex("\(directory)/\(name)"),
                let blocks = index.blocks(ofByteCount: blockByteCount),
                try LocalFile.status(of: "\(directory)/\(file)")?.byteCount == index.byteCount
            else { continue }
            found.append(("\(directory)/\(file)", index, blocks))
        }
        let kept = Set(found.map(\.path))
        for name in names where !kept.contains("\(directory)/\(name)") { try LocalFile.remove("\(directory)/\(name)") }
        return found
    }

    private static func readIndex(_ path: String) throws -> CacheIndex? {
        let file = try LocalFile(path)
        let count = try file.status().byteCount
        guard count <= CacheIndex.maximumFileByteCount else { return nil }
        return try JSONDecoder().decode(
            CacheIndex.self, from: Data(try file.read(at: 0, count: Int(count)).readableBytesView))
    }

    // MARK: End

    /// Writes the indexes, each after its file is durable, and removes the files without blocks.
    func save() async {
        let directory = directory
        let indexes = withState { $0.indexes() }
        do {
            try await threads.blocking {
                for (path, index) in indexes {
                    try LocalFile(path, flags: O_RDWR).synchronize()
                    let temporary = try TemporaryFile(for: path + CacheIndex.nameSuffix)
                    do {
                        try temporary.file.write(ByteBuffer(bytes: try JSONEncoder().encode(index)), at: 0)
                        try temporary.complete()
                    } catch {
                        temporary.discard()
                        throw error
                    }
                }
                let kept = Set(indexes.flatMap { [$0.path, $0.path + CacheIndex.nameSuffix] })
                for name in try LocalFile.names(inFolder: directory) where !kept.contains("\(directory)/\(name)") {
                    try LocalFile.remove("\(directory)/\(name)")
                }
            }
        } catch {
            logger.warning(
                "media store cache could not be saved; the next start begins empty", metadata: [.error: "\(error)"])
        }
    }
}
