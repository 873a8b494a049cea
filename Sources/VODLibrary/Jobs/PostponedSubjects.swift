import MediaFolders

/// The IDs of titles or tracks for whose images the queue had no room.
struct PostponedSubjects {
    private var ids: [String] = []
    /// Number that are queued at a time.
    static let batchSize = 500

    var isEmpty: Bool { ids.isEmpty }

    /// Keeps an ID; one of more than a library may have is dropped, and found at the next start.
    mutating func add(_ id: String) {
        if ids.count < MediaFolder.maximumFileCount { ids.append(id) }
    }

    /// Returns the IDs of a batch, and forgets them.
    mutating func takeBatch() -> [String] {
        let batch = Array(ids.suffix(Self.batchSize))
        ids.removeLast(batch.count)
        return batch
    }
}
