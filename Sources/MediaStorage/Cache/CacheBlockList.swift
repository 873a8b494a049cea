/// All blocks of a cache, by numbers, and the order in which those that may be evicted were used.
struct CacheBlockList: Sendable {
    private var blocks: [CacheBlock] = []
    private var free: [Int] = []
    private var oldest = -1
    private var newest = -1

    subscript(number: Int) -> CacheBlock {
        get { blocks[number] }
        _modify { yield &blocks[number] }
    }

    mutating func add(_ block: CacheBlock) -> Int {
        if let number = free.popLast() {
            blocks[number] = block
            return number
        }
        blocks.append(block)
        return blocks.count - 1
    }

    /// Forgets a block that is not in the order.
    mutating func remove(_ number: Int) {
        blocks[number].waiters = []
        free.append(number)
    }

    // MARK: The order of use

    /// The block that has not been used for the longest time; `nil` if all are in use.
    var leastRecentlyUsed: Int? { oldest >= 0 ? oldest : nil }

    /// Makes a block the most recently used one.
    mutating func append(_ number: Int) {
        blocks[number].previous = newest
        blocks[number].next = -1
        if newest >= 0 { blocks[newest].next = number } else { oldest = number }
        newest = number
    }

    /// Takes a block that is in the order out of it.
    mutating func unlink(_ number: Int) {
        let (previous, next) = (blocks[number].previous, blocks[number].next)
        if previous >= 0 { blocks[previous].next = next } else { oldest = next }
        if next >= 0 { blocks[next].previous = previous } else { newest = previous }
        blocks[number].previous = -1
        blocks[number].next = -1
    }
}
