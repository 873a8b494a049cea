import Packaging

/// The places of shared segments: blocks of huge pages, each of which holds several segments, or files of their own
/// while there is no block.
///
/// It is pure bookkeeping: ``SharedSegments`` makes the files and writes into them. Space is never used twice, because
/// what has been removed may still be on its way to a viewer; a block's memory is free when its last segment has gone.
struct SegmentBlocks {
    /// The place of one segment.
    struct Place {
        let file: MediaFile
        /// The place of its first byte, at the start of a page.
        let offset: Int64
        fileprivate let block: Int
    }

    private struct Block {
        let file: MediaFile
        var placeCount = 0
        /// The first free byte.
        var end = 0

        var freeByteCount: Int { Int(file.byteCount) - end }
    }

    private var blocks: [Int: Block] = [:]
    private var lastNumber = 0
    /// The number of the block that takes the next segments.
    private var current: Int?
    /// The block that takes them when the current one is full.
    private var spare: MediaFile?
    /// The size of all files together.
    private(set) var byteCount = 0

    /// The number of segments that a block holds, unless it would be too large: what is left at its end is lost.
    private static let segmentCount = 4
    private static let pageByteCount = 4 << 10

    /// The size in bytes of the block that should be made now, a multiple of a huge page; `nil` if none is needed or
    /// possible.
    ///
    /// - Parameters:
    ///   - byteCount: the size of a segment that has come, at least 1; others like it will follow.
    ///   - maximumByteCount: the limit of a block.
    func spareByteCount(for byteCount: Int, maximumByteCount: Int) -> Int? {
        let free = current.flatMap { blocks[$0]?.freeByteCount } ?? 0
        guard free < 2 * byteCount, (spare?.byteCount ?? 0) < byteCount else { return nil }
        let page = MediaFile.hugePageByteCount
        let wanted = (byteCount * Self.segmentCount + page - 1) / page * page
        let size = min(wanted, maximumByteCount / page * page)
        return size < byteCount ? nil : size
    }

    /// Keeps a block for when the current one is full.
    mutating func add(spare file: MediaFile) {
        removeSpare()
        spare = file
        byteCount += Int(file.byteCount)
    }

    /// Returns space for a segment; `nil` if no block has any.
    mutating func reserve(_ byteCount: Int) -> Place? {
        if let current, let place = reserve(byteCount, in: current) { return place }
        guard let file = spare, file.byteCount >= byteCount else { return nil }
        spare = nil
        let number = add(file)
        current = number
        return reserve(byteCount, in: number)
    }

    /// Returns the place of a segment that has a file of its own.
    mutating func add(single file: MediaFile) -> Place? {
        byteCount += Int(file.byteCount)
        return reserve(Int(file.byteCount), in: add(file))
    }

    /// Notes that a segment is not there any more.
    mutating func release(_ place: Place) {
        blocks[place.block]?.placeCount -= 1
        removeIfEmpty(place.block)
    }

    /// Removes the block that is kept for later, if there is one.
    mutating func removeSpare() {
        if let spare { byteCount -= Int(spare.byteCount) }
        spare = nil
    }

    private mutating func add(_ file: MediaFile) -> Int {
        lastNumber += 1
        blocks[lastNumber] = Block(file: file)
        return lastNumber
    }

    private mutating func reserve(_ byteCount: Int, in number: Int) -> Place? {
        guard var block = blocks[number], block.freeByteCount >= byteCount else { return nil }
        let place = Place(file: block.file, offset: Int64(block.end), block: number)
        let (page, end) = (Self.pageByteCount, block.end + byteCount)
        block.end = min((end + page - 1) / page * page, Int(block.file.byteCount))
        block.placeCount += 1
        blocks[number] = block
        return place
    }

    private mutating func removeIfEmpty(_ number: Int) {
        guard let block = blocks[number], block.placeCount == 0 else { return }
        blocks[number] = nil
        byteCount -= Int(block.file.byteCount)
        // Those who have not received its last segment keep it for themselves.
        if current == number { current = nil }
    }
}
