import Crypto
import Foundation
import JSONDocument
import MediaCore
import NIOHTTP1
import NIOPosix
import OfflineCopyFormat

/// Downloads one copy over several connections. A chunk counts once it was verified and written; what a connection had
/// of a chunk when it was cut is kept, and the rest is fetched over a new one.
struct CopyDownload: Sendable {
    let copy: StoredCopy
    let server: CopyServer
    let connectionCount: Int
    let retry: RetryPolicy
    let threadPool: NIOThreadPool
    let report: @Sendable (DownloadProgress) -> Void

    /// Limit of the connections of a download; the server has a place for as many.
    static let maximumConnectionCount = 16
    /// Times that expired addresses are replaced within one download.
    private static let maximumAddressCount = 10

    /// The outcome of a download.
    struct Result: Sendable, Hashable {
        var isComplete: Bool
        /// The bytes that came over the network.
        var transferredByteCount: Int64
    }

    /// Downloads what is missing, until it is complete or somebody pauses it.
    ///
    /// - Throws: ``DownloadError``
    func run() async throws -> Result {
        var record = try await blocking { try copy.record() }
        let plan = record.manifest.plan
        let file = try await blocking { try copy.openForWriting(plan) }
        let queueOfAll = ChunkQueue(file.map, goodByteCount: file.map.goodByteCount(plan.range(of:)))
        var transferred: Int64 = 0
        for attempt in 1... {
            let queue =
                attempt == 1
                ? queueOfAll : ChunkQueue(file.map, goodByteCount: file.map.goodByteCount(plan.range(of:)))
            report(progress(record, .downloading, queue.receivedByteCount))
            defer { transferred += queue.transferredByteCount }
            do {
                try await transfer(record, file, queue)
                break
            } catch let error as DownloadError
                where error.code == .addressExpired && attempt < Self.maximumAddressCount
            {
                record = try await renewed(record)
            }
        }
        guard file.map.isComplete else {
            report(progress(record, .paused, file.map.goodByteCount(plan.range(of:))))
            return Result(isComplete: false, transferredByteCount: transferred)
        }
        try await blocking { try file.synchronize() }
        report(progress(record, .downloaded, plan.byteCount))
        return Result(isComplete: true, transferredByteCount: transferred)
    }

    private func progress(
        _ record: CopyRecord, _ phase: DownloadProgress.Phase, _ byteCount: Int64
    ) -> DownloadProgress {
        DownloadProgress(
            copy: copy.id, name: record.name, phase: phase, byteCount: record.byteCount, receivedByteCount: byteCount)
    }

    /// The record with a new address.
    private func renewed(_ record: CopyRecord) async throws -> CopyRecord {
        let answer = try await server.send(.GET, CopyServer.manifestPath(record.rental, record.rendition))
        guard let node = answer.node, let new = CopyRecord(node, server: record.server),
            new.manifest.copy == record.manifest.copy, new.manifest.chunkDigests == record.manifest.chunkDigests
        else { throw DownloadError(.copyReplaced, "the title has changed on the server") }
        try await blocking { try copy.setRecord(new) }
        return new
    }

    private func transfer(_ record: CopyRecord, _ file: CopyFile, _ queue: ChunkQueue) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, min(connectionCount, Self.maximumConnectionCount)) {
                group.addTask {
                    while let index = queue.next() {
                        // A pause takes effect between chunks, and so does a deletion.
                        let isWanted = try await blocking { copy.exists && !copy.isPaused }
                        guard isWanted else { return }
                        try await fetch(index, record, file, queue)
                    }
                }
            }
            try await group.waitForAll()
        }
        let exists = try await blocking { copy.exists }
        guard exists else { throw DownloadError(.rentalEnded, "\(record.name) was deleted meanwhile") }
    }

    private func fetch(
        _ index: Int, _ record: CopyRecord, _ file: CopyFile, _ queue: ChunkQueue
    ) async throws {
        let manifest = record.manifest
        let range = manifest.plan.range(of: index)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for corruptCount in 1... {
            while bytes.count < range.count {
                try await fetchRest(of: range, &bytes, record, queue)
            }
            let (found, expected) = (SHA256.hash(data: bytes).hexadecimalDigits, manifest.chunkDigests[index])
            if found == expected { break }
            queue.discard(bytes.count)
            guard corruptCount < retry.maximumCorruptCount else {
                throw DownloadError(
                    .damaged, "chunk \(index) of \(record.name) keeps arriving damaged; try again later")
            }
            bytes.removeAll(keepingCapacity: true)
        }
        let chunk = bytes
        try await blocking { try file.write(chunk, index: index, at: range.lowerBound) }
    }

    /// Fetches what a chunk lacks, as far as one connection brings it.
    private func fetchRest(
        of range: Range<Int64>, _ bytes: inout [UInt8], _ record: CopyRecord, _ queue: ChunkQueue
    ) async throws {
        let rest = range.lowerBound + Int64(bytes.count)..<range.upperBound
        do {
            try await server.read(record.manifest.url, rest, etag: record.manifest.entityTag) { piece in
                bytes += piece
                report(progress(record, .downloading, queue.note(piece.count)))
            }
        } catch let error as DownloadError where error.code == .unreachable {
            let failureCount = queue.noteFailure()
            guard failureCount <= retry.maximumFailureCount else {
                throw DownloadError(
                    .unreachable, "\(error.description); \"antena download resume \(copy.id)\" goes on later")
            }
            report(progress(record, .waiting, queue.receivedByteCount))
            try await retry.sleep(max(error.retryAfter ?? .zero, retry.schedule.delay(after: failureCount)))
        }
    }

    private func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await threadPool.runIfActive { try body() }
    }
}
