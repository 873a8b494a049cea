import ISOBMFF
import NIOPosix
import Packaging

/// Open titles that somebody watches, bounded by what their indexes take in memory and by their number; and for a
/// moment the one that was ingested last, whose first viewer is likely to be waiting.
actor TitleIndexCache {
    private struct Entry {
        var title: PackagedTitle
        var lastUse: UInt64
    }

    struct Ladder: Sendable {
        var folder: LadderStore.Folder
        var manifest: LadderManifest
    }

    private struct Ingested {
        var path: String
        var title: PackagedTitle
        var isAged = false
    }

    private var entries: [String: Entry] = [:]
    private(set) var byteCount = 0
    private var useCount: UInt64 = 0
    /// Callers that wait for a title which another one is opening.
    private var opening: [String: [CheckedContinuation<PackagedTitle, any Error>]] = [:]
    private var ingested: Ingested?
    /// Other qualities of titles, by the title's path.
    private var ladders: [String: Ladder] = [:]
    private let maximumByteCount: Int
    private let maximumOpenTitleCount: Int
    private let threadPool: NIOThreadPool

    init(maximumByteCount: Int, maximumOpenTitleCount: Int, threadPool: NIOThreadPool) {
        self.maximumByteCount = maximumByteCount
        self.maximumOpenTitleCount = maximumOpenTitleCount
        self.threadPool = threadPool
    }

    var count: Int { entries.count }

    func holds(path: String) -> Bool { entries[path] != nil }

    /// The title at `path`, opened if it is not; once, however many ask.
    ///
    /// - Throws: what reading and packaging it throw.
    func title(path: String) async throws -> PackagedTitle {
        if let entry = entries[path] {
            // Replaced under our feet: the old file would go on playing for as long as somebody watches.
            if MediaFile.identity(ofFileAt: path) == entry.title.file.identity {
                useCount += 1
                entries[path]?.lastUse = useCount
                return entry.title
            }
            forget(path: path)
        }
        if ladders[path] == nil, let title = takeIngested(path: path) {
            store(title, path: path)
            return title
        }
        if opening[path] != nil {
            return try await withCheckedThrowingContinuation { opening[path]?.append($0) }
        }
        opening[path] = []
        let result: Result<PackagedTitle, any Error>
        do {
            result = .success(try await withLadder(try await inspect(path: path), path: path))
        } catch {
            result = .failure(error)
        }
        if case .success(let title) = result { store(title, path: path) }
        for waiting in opening.removeValue(forKey: path) ?? [] { waiting.resume(with: result) }
        return try result.get()
    }

    /// From now on the title has these qualities, too; `nil` for none but its own.
    func setLadder(_ ladder: Ladder?, path: String) {
        guard ladder != nil || ladders[path] != nil else { return }
        ladders[path] = ladder
        forget(path: path)
    }

    /// A title whose other qualities are damaged or gone plays in its own.
    private func withLadder(_ title: PackagedTitle, path: String) async throws -> PackagedTitle {
        guard let ladder = ladders[path] else { return title }
        let whole = try? await threadPool.runIfActive { try title.adding(ladder.manifest.movies(in: ladder.folder)) }
        return whole ?? title
    }

    /// Opens a title for a look that nobody watches: the index goes with the last reference, so that a library of
    /// thousands costs an idle server nothing.
    ///
    /// - Throws: what reading and packaging it throw.
    nonisolated func inspect(path: String) async throws -> PackagedTitle {
        try await threadPool.runIfActive { try PackagedTitle(file: MediaFile(path: path)) }
    }

    /// The same, unless reading the index may take long: `nil` then.
    nonisolated func inspectAtOnce(path: String) async throws -> PackagedTitle? {
        try await threadPool.runIfActive {
            let file = try MediaFile(path: path)
            let isReadAtOnce = try MovieIndex.isReadAtOnce(file, maximumByteCount: Self.maximumIndexByteCountAtOnce)
            return isReadAtOnce ? try PackagedTitle(file: file) : nil
        }
    }

    /// Of a `moov`; about ten hours of video and sound.
    private static let maximumIndexByteCountAtOnce: Int64 = 32 << 20

    /// Keeps a title that was just indexed for whoever asks first, until another one is ingested or
    /// ``dropAgedIngested()`` has been called twice: an idle server holds no index.
    func offer(_ title: PackagedTitle, path: String) {
        guard entries[path] == nil, title.indexByteCount <= maximumByteCount else { return }
        ingested = Ingested(path: path, title: title)
    }

    /// Called at every look at the media folder.
    func dropAgedIngested() {
        if ingested?.isAged == true { ingested = nil } else { ingested?.isAged = true }
    }

    private func takeIngested(path: String) -> PackagedTitle? {
        guard let offered = ingested, offered.path == path else { return nil }
        ingested = nil
        return MediaFile.identity(ofFileAt: path) == offered.title.file.identity ? offered.title : nil
    }

    func forget(path: String) {
        if ingested?.path == path { ingested = nil }
        guard let entry = entries.removeValue(forKey: path) else { return }
        byteCount -= entry.title.indexByteCount
    }

    private func store(_ title: PackagedTitle, path: String) {
        forget(path: path)
        useCount += 1
        entries[path] = Entry(title: title, lastUse: useCount)
        byteCount += title.indexByteCount
        // The newest stays even where it alone is above the limit: somebody is about to watch it.
        while byteCount > maximumByteCount || entries.count > maximumOpenTitleCount, entries.count > 1,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            forget(path: oldest.key)
        }
    }
}

extension PackagedTitle {
    fileprivate convenience init(file: MediaFile) throws {
        try self.init(index: MovieIndex.read(from: file), file: file)
    }
}
