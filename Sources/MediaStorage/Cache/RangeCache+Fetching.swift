import Glibc
import LogMetadata
import Logging
import MediaCore
import NIOCore
import NIOPosix

extension RangeCache {
    /// Fetches blocks and writes them to the object's file. Each one is present as soon as it is complete.
    func perform(_ work: CacheWork) async {
        await punch(work.evictions)
        let start = elapsed()
        var firstBlock: Duration?
        var failure: (any Error)?
        do {
            var block = ByteBuffer()
            block.reserveCapacity(settings.blockByteCount)
            var next = work.request.blocks.lowerBound
            try await store.read(work.key, range: work.range, version: work.version) { piece in
                var piece = piece
                while piece.readableBytes > 0 {
                    let size = blockByteCount(next, work)
                    guard var part = piece.readSlice(length: min(piece.readableBytes, size - block.readableBytes))
                    else { return }
                    block.writeBuffer(&part)
                    guard block.readableBytes == size else { continue }
                    try await write(block, next, work)
                    if firstBlock == nil { firstBlock = elapsed() }
                    let index = next
                    update { $0.complete(index, of: work.request) }
                    next += 1
                    block.clear()
                }
            }
            guard next == work.request.blocks.upperBound else {
                throw MediaStorageError(.corrupted, "the store sent too few bytes", operation: "read", key: work.key)
            }
        } catch {
            failure = error
        }
        end(work, failure, start, firstBlock)
    }

    private func end(_ work: CacheWork, _ failure: (any Error)?, _ start: Duration, _ firstBlock: Duration?) {
        let now = elapsed()
        let wasAway = withState { $0.statistics(at: now).isStoreAway }
        update { $0.end(work.request, failure, started: start, firstBlock: firstBlock, at: now) }
        if let failure, !wasAway, withState({ $0.statistics(at: now).isStoreAway }) {
            logger.warning(
                "media store does not answer; requests fail fast for a while",
                metadata: [.objectKey: "\(work.key)", .error: "\(failure)"])
        }
        wake()
    }

    private func blockByteCount(_ index: Int, _ work: CacheWork) -> Int {
        let start =
            work.range.lowerBound + Int64(index - work.request.blocks.lowerBound) * Int64(settings.blockByteCount)
        return Int(min(Int64(settings.blockByteCount), work.range.upperBound - start))
    }

    /// Writes a block; if the disk is full, once more after others have been given up.
    private func write(_ block: ByteBuffer, _ index: Int, _ work: CacheWork) async throws {
        let (files, path) = (files, work.path)
        let offset = Int64(index) * Int64(settings.blockByteCount)
        do {
            try await threads.blocking { try files.write(block, at: offset, to: path) }
        } catch let error as MediaStorageError where error.systemError == ENOSPC || error.systemError == EDQUOT {
            let now = elapsed()
            let evictions = withState { $0.shrink(at: now) }
            logger.warning(
                "cache disk is full; cache size reduced for a while",
                metadata: [.file: "\(directory)", .count: "\(evictions.count)"])
            await punch(evictions)
            try await threads.blocking { try files.write(block, at: offset, to: path) }
        }
    }

    /// Gives the space of blocks back. A block whose space cannot be given back is forgotten nevertheless: its file
    /// goes sooner or later.
    func punch(_ evictions: [CacheWork.Eviction]) async {
        guard !evictions.isEmpty else { return }
        let files = files
        do {
            try await threads.blocking {
                for eviction in evictions {
                    try files.punchHole(at: eviction.offset, byteCount: eviction.byteCount, in: eviction.path)
                }
            }
        } catch {
            logger.warning(
                "evicted cache blocks could not be freed on disk",
                metadata: [.file: "\(directory)", .error: "\(error)"])
        }
        update { state in
            state.finish(evictions)
            return CacheOutcome()
        }
    }
}
