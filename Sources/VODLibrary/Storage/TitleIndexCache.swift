import ISOBMFF
import NIOPosix
import Packaging

/// The open titles that somebody watches, bounded by their number and the memory of their indexes. The most recently
/// ingested title is kept for a short time as well, because its first viewer is likely to be waiting.
///
/// No file is accessed on the actor, which serves every viewer: a disk that does not answer delays only the viewers of
/// titles on it.
actor TitleIndexCache {
    private struct Entry {
        var title: PackagedTitle
        var lastUse: UInt64
    }

    /// The ladder of a title.
    struct Ladder: Sendable {
        /// Opens the ladder's movies.
        let open: @Sendable () async throws -> LadderMedia

        init(open: @escaping @Sendable () async throws -> LadderMedia) { self.open = open }
    }

    private struct Ingested {
        var path: String
        var title: PackagedTitle
        var isAged = false
    }

    private var entries: [String: Entry] = [:]
    private(set) var byteCount = 0
    private var useCount: UInt64 = 0
    /// Callers that wait for a title that another caller is opening, keyed by path.
    private var opening: [String: [CheckedContinuation<PackagedTitle, any Error>]] = [:]
    private var ingested: Ingested?
    /// The ladders of titles, keyed by the title's path.
    private var ladders: [String: Ladder] = [:]
    private let maximumByteCount: Int
    private let maximumOpenTitleCount: Int
    private let threads: LibraryThreads
    private let files: LibraryFiles

    init(
        maximumByteCount: Int, maximumOpenTitleCount: Int, threads: LibraryThreads,
        files: LibraryFiles = LibraryFiles()
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumOpenTitleCount = maximumOpenTitleCount
        self.threads = threads
        self.files = files
    }

    var count: Int { entries.count }

    func holds(path: String) -> Bool { entries[path] != nil }

    /// The title at `path`. It is opened if necessary, and only once, however many callers ask.
    ///
    /// - Throws: the errors of reading and packaging the file.
    func title(path: String) async throws -> PackagedTitle {
        while opening[path] != nil {
            do {
                return try await withCheckedThrowingContinuation { opening[path]?.append($0) }
            } catch let error as CancellationError {
                // The cancellation was that of the caller that opened the title.
                if Task.isCancelled { throw error }
            }
        }
        opening[path] = []
        let result: Result<PackagedTitle, any Error>
        do {
            result = .success(try await find(path: path))
        } catch {
            result = .failure(error)
        }
        for waiting in opening.removeValue(forKey: path) ?? [] { waiting.resume(with: result) }
        return try result.get()
    }

    /// Finds or opens a title, for one caller at a time. After each wait the title may have been dropped, or may have
    /// got a ladder.
    private func find(path: String) async throws -> PackagedTitle {
        if let title = entries[path]?.title {
            // The file may have been replaced; the old one would continue to play for as long as somebody watches.
            let isSame = try await stillHas(title, path: path)
            if isSame, entries[path]?.title === title {
                useCount += 1
                entries[path]?.lastUse = useCount
                return title
            }
            if entries[path]?.title === title { remove(path: path) }
        }
        if ladders[path] == nil, let offered = ingested, offered.path == path {
            ingested = nil
            if try await stillHas(offered.title, path: path), ladders[path] == nil {
                store(offered.title, path: path)
                return offered.title
            }
        }
        let title = try await withLadder(
            // The decision about the omitted tracks was made when the title was ingested.
            try await open(path, on: threads.opening, leavesOutUnsupported: true), path: path)
        store(title, path: path)
        return title
    }

    private func stillHas(_ title: PackagedTitle, path: String) async throws -> Bool {
        try await threads.opening.runIfActive { [files] in
            // A file that was just renamed continues to play until the library has noticed.
            files.currentIdentity(path).map { $0 == title.file.identity } ?? title.file.isLinked
        }
    }

    /// Sets the ladder of a title; `nil` for none.
    func setLadder(_ ladder: Ladder?, path: String) {
        guard ladder != nil || ladders[path] != nil else { return }
        ladders[path] = ladder
        remove(path: path)
    }

    /// Adds the ladder to a title. If the ladder is damaged or gone, the title plays without it.
    private func withLadder(_ title: PackagedTitle, path: String) async throws -> PackagedTitle {
        guard let ladder = ladders[path] else { return title }
        guard let media = try? await ladder.open() else { return title }
        let whole = try? await threads.opening.runIfActive { try title.adding(media) }
        return whole ?? title
    }

    /// Opens a file and reads its index.
    private nonisolated func open(
        _ path: String, on pool: NIOThreadPool, leavesOutUnsupported: Bool
    ) async throws -> PackagedTitle {
        try await files.read(path, on: pool, remotelyOn: threads.fetching) { file in
            try PackagedTitle(file: file, leavesOutUnsupported: leavesOutUnsupported)
        }
    }

    /// Opens a title for inspection only: the index is released with the last reference, so that a library of thousands
    /// costs an idle server nothing.
    ///
    /// - Parameter leavesOutUnsupported: whether to open the title without the tracks that cannot be read.
    /// - Throws: the errors of reading and packaging the file.
    nonisolated func inspect(path: String, leavesOutUnsupported: Bool = false) async throws -> PackagedTitle {
        try await open(path, on: threads.library, leavesOutUnsupported: leavesOutUnsupported)
    }

    /// The same as ``inspect(path:leavesOutUnsupported:)``, unless reading the index may take long; `nil` in that case.
    nonisolated func inspectAtOnce(path: String) async throws -> PackagedTitle? {
        try await files.read(path, on: threads.library, remotelyOn: threads.fetching) { file in
            let isReadAtOnce = try MovieIndex.isReadAtOnce(file, maximumByteCount: Self.maximumIndexByteCountAtOnce)
            return isReadAtOnce ? try PackagedTitle(file: file, leavesOutUnsupported: false) : nil
        }
    }

    /// Limit on the size of a `moov` box that is read at once; about ten hours of video and audio.
    private static let maximumIndexByteCountAtOnce: Int64 = 32 << 20

    /// Keeps a title that was just indexed for its first viewer, until another one is ingested or
    /// ``dropAgedIngested()`` has been called twice: an idle server holds no index.
    func offer(_ title: PackagedTitle, path: String) {
        guard entries[path] == nil, title.indexByteCount <= maximumByteCount else { return }
        ingested = Ingested(path: path, title: title)
    }

    /// Drops an ingested title that nobody has opened. Called at every scan of the media folder.
    func dropAgedIngested() {
        if ingested?.isAged == true { ingested = nil } else { ingested?.isAged = true }
    }

    /// Changes the path of a title whose file has been renamed. Viewers that have the title open are not affected.
    func move(from old: String, to new: String) {
        guard old != new else { return }
        remove(path: new)
        if let ladder = ladders.removeValue(forKey: old) { ladders[new] = ladder }
        if let entry = entries.removeValue(forKey: old) { entries[new] = entry }
        if ingested?.path == old { ingested?.path = new }
    }

    func remove(path: String) {
        if ingested?.path == path { ingested = nil }
        guard let entry = entries.removeValue(forKey: path) else { return }
        byteCount -= entry.title.indexByteCount
    }

    private func store(_ title: PackagedTitle, path: String) {
        remove(path: path)
        useCount += 1
        entries[path] = Entry(title: title, lastUse: useCount)
        byteCount += title.indexByteCount
        // The newest title stays even if it alone exceeds the limit, because somebody is about to watch it.
        while byteCount > maximumByteCount || entries.count > maximumOpenTitleCount, entries.count > 1,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            remove(path: oldest.key)
        }
    }
}

extension PackagedTitle {
    fileprivate convenience init(file: MediaFile, leavesOutUnsupported: Bool) throws {
        let index = try MovieIndex.read(from: file, damagedTracks: leavesOutUnsupported ? .leaveOut : .refuse)
        try self.init(index: index, file: file, leavesOutUnsupported: leavesOutUnsupported)
    }
}
