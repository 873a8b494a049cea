/// The state of a ``RangeCache``, which its lock guards: which blocks there are, who reads them, who waits for them,
/// and what is fetched next. Without I/O.
struct CacheState: Sendable {
    let settings: RangeCacheSettings
    let configuredByteCount: Int64
    var entries: [Int: CacheEntry] = [:]
    var nextEntry = 0
    /// The entry of each key and version; forgotten ones are not found.
    var numbers: [CacheName: Int] = [:]
    var list = CacheBlockList()
    /// Blocks that take space: those that are present, on their way in, or on their way out.
    var usedByteCount: Int64 = 0
    var calls: [UInt64: CacheCall] = [:]
    var nextCall: UInt64 = 0
    var awaited: [CacheRequest] = []
    var readAhead: [CacheRequest] = []
    var runningCount = 0
    var runningReadAheadCount = 0
    var breaker: CircuitBreaker
    /// The bound after the disk was full, and when it ends.
    var reduced: (byteCount: Int64, until: Duration)?
    var statistics = RangeCacheStatistics()
    /// Files of entries that are gone.
    var unusedFiles: [String] = []
    var isStopped = false

    init(maximumByteCount: Int64, settings: RangeCacheSettings) {
        self.settings = settings
        configuredByteCount = maximumByteCount
        breaker = CircuitBreaker(
            failuresUntilOpen: settings.failuresUntilOpen,
            openTimes: settings.firstOpenTime...settings.maximumOpenTime)
    }

    var blockByteCount: Int64 { Int64(settings.blockByteCount) }

    // MARK: Entries

    /// Adds a handle to an object's entry, if there is one.
    ///
    /// - Returns: The entry's number and file.
    mutating func openExisting(_ name: CacheName, byteCount: Int64) -> (number: Int, path: String)? {
        guard let number = numbers[name], let entry = entries[number], entry.byteCount == byteCount else { return nil }
        entries[number]?.handleCount += 1
        return (number, entry.path)
    }

    /// Adds a handle to an object's entry, which is created if needed.
    ///
    /// - Parameter path: The sparse file of a new entry.
    /// - Returns: The entry's number and file.
    mutating func open(_ name: CacheName, byteCount: Int64, path: String) -> (number: Int, path: String) {
        if let existing = openExisting(name, byteCount: byteCount) { return existing }
        // Its former versions are not read any more.
        forget(name.key)
        let number = add(name, byteCount: byteCount, path: path)
        entries[number]?.handleCount = 1
        return (number, path)
    }

    mutating func add(_ name: CacheName, byteCount: Int64, path: String) -> Int {
        nextEntry += 1
        entries[nextEntry] = CacheEntry(
            key: name.key, version: name.version, byteCount: byteCount, path: path,
            blockByteCount: settings.blockByteCount)
        numbers[name] = nextEntry
        return nextEntry
    }

    /// Adds an object that was in the cache when it was shut down.
    mutating func restore(_ index: CacheIndex, blocks: [Int], path: String) {
        let number = add(
            CacheName(key: index.key, version: index.version), byteCount: index.byteCount, path: path)
        for block in blocks {
            let added = addBlock(number, block, .present)
            usedByteCount += Int64(list[added].byteCount)
            statistics.presentByteCount += Int64(list[added].byteCount)
            list.append(added)
        }
    }

    mutating func release(_ number: Int) {
        entries[number]?.handleCount -= 1
        removeIfUnused(number)
    }

    mutating func forget(_ key: String) {
        for (name, number) in numbers where name.key == key {
            numbers[name] = nil
            entries[number]?.isForgotten = true
            removeIfUnused(number)
        }
    }

    /// Removes an entry that nothing needs, with all its blocks. One with blocks that are on their way stays.
    mutating func removeIfUnused(_ number: Int) {
        guard let entry = entries[number], entry.isUnused else { return }
        let blocks = entry.blocks.filter { $0 >= 0 }
        guard blocks.allSatisfy({ list[$0].state == .present && list[$0].leaseCount == 0 }) else { return }
        for block in blocks {
            list.unlink(block)
            usedByteCount -= Int64(list[block].byteCount)
            statistics.presentByteCount -= Int64(list[block].byteCount)
            list.remove(block)
        }
        let name = CacheName(key: entry.key, version: entry.version)
        if numbers[name] == number { numbers[name] = nil }
        entries[number] = nil
        unusedFiles.append(entry.path)
    }

    /// The files that can be removed; each is returned once.
    mutating func takeUnusedFiles() -> [String] {
        defer { unusedFiles = [] }
        return unusedFiles
    }

    /// The present blocks of each object, for the next start, and the files to remove.
    func indexes() -> [(path: String, index: CacheIndex)] {
        entries.values.compactMap { entry in
            let present = entry.blocks.indices.filter {
                entry.blocks[$0] >= 0 && list[entry.blocks[$0]].state == .present
            }
            guard !present.isEmpty, !entry.isForgotten else { return nil }
            let index = CacheIndex(
                key: entry.key, version: entry.version, byteCount: entry.byteCount,
                blockByteCount: settings.blockByteCount, blocks: present)
            return (entry.path, index)
        }
    }

    // MARK: Blocks

    mutating func addBlock(_ number: Int, _ index: Int, _ state: CacheBlock.State) -> Int {
        let start = Int64(index) * blockByteCount
        let size = min(blockByteCount, (entries[number]?.byteCount ?? 0) - start)
        let block = list.add(CacheBlock(object: number, index: index, byteCount: Int(size), state: state))
        entries[number]?.blocks[index] = block
        entries[number]?.blockCount += 1
        return block
    }

    mutating func removeBlock(_ block: Int) {
        let (number, index) = (list[block].object, list[block].index)
        entries[number]?.blocks[index] = -1
        entries[number]?.blockCount -= 1
        list.remove(block)
        removeIfUnused(number)
    }

    /// The blocks of ranges, of each range by itself; `nil` if a range lies outside the object.
    func blocks(of ranges: [Range<Int64>], _ entry: CacheEntry) -> [ClosedRange<Int>]? {
        var result: [ClosedRange<Int>] = []
        for range in ranges where !range.isEmpty {
            guard range.lowerBound >= 0, range.upperBound <= entry.byteCount else { return nil }
            result.append(Int(range.lowerBound / blockByteCount)...Int((range.upperBound - 1) / blockByteCount))
        }
        return result
    }
}
