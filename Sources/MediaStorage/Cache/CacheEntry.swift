/// An object of which blocks are in the cache.
struct CacheEntry: Sendable {
    let key: String
    let version: String
    let byteCount: Int64
    /// The sparse file.
    let path: String
    /// The number of each block in the list of blocks; -1 for a block that is absent.
    var blocks: [Int]
    /// The blocks that are not absent.
    var blockCount = 0
    /// The handles that others hold.
    var handleCount = 0
    var byteCountInFlight: Int64 = 0
    var access = SequentialAccess()
    /// True if the object was deleted or replaced: its blocks go with the last handle.
    var isForgotten = false

    init(key: String, version: String, byteCount: Int64, path: String, blockByteCount: Int) {
        self.key = key
        self.version = version
        self.byteCount = byteCount
        self.path = path
        blocks = [Int](repeating: -1, count: Int((byteCount - 1) / Int64(blockByteCount) + 1))
    }

    /// True if nothing needs the entry any more.
    var isUnused: Bool { handleCount == 0 && (blockCount == 0 || isForgotten) }
}
