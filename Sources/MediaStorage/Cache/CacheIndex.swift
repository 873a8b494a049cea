import Foundation

/// The blocks that a file of the cache holds, written beside it at a clean shutdown.
struct CacheIndex: Codable, Sendable, Hashable {
    var key: String
    var version: String
    var byteCount: Int64
    var blockByteCount: Int
    /// Runs of present blocks in ascending order: first block and count, alternating.
    var runs: [Int]

    /// Ends the name of an index; the rest is the name of its file.
    static let nameSuffix = ".index"
    static let maximumFileByteCount: Int64 = 16 << 20

    init(key: String, version: String, byteCount: Int64, blockByteCount: Int, blocks: [Int]) {
        self.key = key
        self.version = version
        self.byteCount = byteCount
        self.blockByteCount = blockByteCount
        runs = []
        for block in blocks {
            if let count = runs.last, runs[runs.count - 2] + count == block {
                runs[runs.count - 1] += 1
            } else {
                runs += [block, 1]
            }
        }
    }

    /// The present blocks; `nil` if the index does not fit a cache with blocks of this size.
    func blocks(ofByteCount size: Int) -> [Int]? {
        guard blockByteCount == size, byteCount > 0, runs.count.isMultiple(of: 2), MediaKey.problem(with: key) == nil
        else { return nil }
        let blockCount = (byteCount - 1) / Int64(size) + 1
        var blocks: [Int] = []
        for index in stride(from: 0, to: runs.count, by: 2) {
            let (first, count) = (runs[index], runs[index + 1])
            guard first >= 0, first > blocks.last ?? -1, count > 0, Int64(count) <= blockCount,
                Int64(first) <= blockCount - Int64(count)
            else { return nil }
            blocks += first..<(first + count)
        }
        return blocks
    }
}
