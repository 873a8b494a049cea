import Crypto
import Foundation
import MediaCore
import NIOPosix
import OfflineCopyFormat

/// Reads files of a downloaded copy. Every chunk is compared with its digest before a byte of it is decrypted.
actor CopyReader {
    private let copy: StoredCopy
    private let record: CopyRecord
    private let cipher: CopyCipher
    private let threadPool: NIOThreadPool
    private let file: FileHandle
    private var ranges: [String: Range<Int64>] = [:]
    /// The chunks that were decrypted last, the newest at the end.
    private var recent: [(index: Int, bytes: [UInt8])] = []

    /// Limit of the decrypted chunks in memory, 8 MiB with chunks of the usual size.
    private static let maximumRecentCount = 8

    /// Opens a copy and reads its index.
    ///
    /// - Throws: ``DownloadError`` with `damaged`, or `notFound` if its bytes are not here.
    init(_ copy: StoredCopy, _ record: CopyRecord, key: SymmetricKey, threadPool: NIOThreadPool) async throws {
        (self.copy, self.record, self.threadPool) = (copy, record, threadPool)
        cipher = CopyCipher(key: key)
        let path = copy.bytesPath
        let descriptor = try await threadPool.runIfActive { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            throw DownloadError(
                .notFound, "the file of \(record.name) is not here any more; delete or download it again")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let wrongKey = DownloadError(
            .damaged, "\(record.name) cannot be decrypted; delete it with \"antena download delete \(copy.id)\"")
        do {
            let header = try await read(0..<min(Int64(CopyIndex.headerByteCount), record.byteCount))
            let count = try CopyIndex.byteCount(header: header)
            let end = Int64(CopyIndex.headerByteCount + count)
            guard end <= record.byteCount else { throw wrongKey }
            let index = try CopyIndex(parsing: try await read(Int64(CopyIndex.headerByteCount)..<end))
            ranges = try index.ranges(indexByteCount: count)
        } catch is CopyIndex.ParsingError {
            throw wrongKey
        }
        guard ranges.values.allSatisfy({ $0.upperBound <= record.byteCount }) else { throw wrongKey }
    }

    /// The range of a file in the copy; `nil` if there is no such file.
    func range(of path: String) -> Range<Int64>? { ranges[path] }

    /// Reads a range of the copy.
    ///
    /// - Throws: ``DownloadError`` with `damaged`; the damaged chunk is then fetched again by the next download.
    func read(_ range: Range<Int64>) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        let plan = record.manifest.plan
        for index in plan.chunks(in: range) {
            let whole = plan.range(of: index)
            let wanted = range.clamped(to: whole)
            let chunk = try await chunk(index)
            bytes += chunk[Int(wanted.lowerBound - whole.lowerBound)..<Int(wanted.upperBound - whole.lowerBound)]
        }
        return bytes
    }

    private func chunk(_ index: Int) async throws -> [UInt8] {
        if let known = recent.first(where: { $0.index == index }) { return known.bytes }
        let range = record.manifest.plan.range(of: index)
        let (file, expected, cipher) = (file, record.manifest.chunkDigests[index], cipher)
        let plain = try await threadPool.runIfActive { () -> [UInt8]? in
            guard let bytes = Self.read(file.fileDescriptor, range),
                SHA256.hash(data: bytes).hexadecimalDigits == expected
            else { return nil }
            return try cipher.apply(to: bytes, at: range.lowerBound)
        }
        guard let plain else {
            let (copy, count) = (copy, record.manifest.plan.count)
            try await threadPool.runIfActive { try copy.noteCorrupt(index, count: count) }
            throw DownloadError(
                .damaged,
                """
                \(record.name) is damaged in chunk \(index): fetch that again with "antena download resume \(copy.id)", or \
                delete the copy with "antena download delete \(copy.id)"
                """)
        }
        recent.append((index, plain))
        if recent.count > Self.maximumRecentCount { recent.removeFirst() }
        return plain
    }

    /// - Returns: `nil` if the file is too short or cannot be read.
    private static func read(_ file: Int32, _ range: Range<Int64>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    file, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(range.lowerBound) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }
}
