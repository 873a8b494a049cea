/// Which chunks of a copy have been verified and written: a bit for each, the first in the lowest bit of the first
/// byte.
struct ChunkMap: Sendable, Hashable {
    let count: Int
    private(set) var bytes: [UInt8]

    /// A map without a good chunk.
    init(count: Int) {
        self.count = count
        bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    }

    /// Reads a map; bytes that are missing stand for missing chunks, and others are ignored.
    init(parsing bytes: [UInt8], count: Int) {
        self.init(count: count)
        for index in 0..<count where index / 8 < bytes.count && bytes[index / 8] & 1 << (index % 8) != 0 {
            insert(index)
        }
    }

    func contains(_ index: Int) -> Bool { bytes[index / 8] & 1 << (index % 8) != 0 }
    mutating func insert(_ index: Int) { bytes[index / 8] |= 1 << (index % 8) }
    mutating func remove(_ index: Int) { bytes[index / 8] &= ~(1 << (index % 8)) }

    var goodCount: Int { bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
    var isComplete: Bool { goodCount == count }

    /// The number of verified bytes.
    func goodByteCount(_ rangeOf: (Int) -> Range<Int64>) -> Int64 {
        (0..<count).reduce(0) { contains($1) ? $0 + Int64(rangeOf($1).count) : $0 }
    }
}
