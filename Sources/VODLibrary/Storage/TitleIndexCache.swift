import ISOBMFF
import NIOPosix
import Packaging

/// Open titles that somebody watches, bounded by what their indexes take in memory and by their number; and for a
/// moment the one that was ingested last, whose first viewer is likely to be waiting.
///
/// No file is touched on the actor, which every viewer of a title passes: a disk that does not answer keeps those
/// waiting who want what lies there.
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

    /// The title at `path`, opened if it is not; once, however many ask.
    ///
    /// - Throws: what reading and packaging it throw.
    func title(path: String) async throws -> PackagedTitle {
        while opening[path] != nil {
            do {
                return try await withCheckedThrowingContinuation { opening[path]?.append($0) }
            } catch let error as CancellationError {
                // That of whoever opened it, who has gone.
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

    /// For one caller at a time; after each wait the title may have been dropped, or got a ladder.
    private func find(path: String) async throws -> PackagedTitle {
        if let title = entries[path]?.title {
            // Replaced under our feet: the old file would go on playing for as long as somebody watches.
            let isSame = try await stillHas(title, path: path)
            if isSame, entries[path]?.title === title {
                useCount += 1
                entries[path]?.lastUse = useCount
                return title
            }
            if entries[path]?.title === title { forget(path: path) }
        }
        if ladders[path] == nil, let offered = ingested, offered.path == path {
            ingested = nil
            if try await stillHas(offered.title, path: path), ladders[path] == nil {
                store(offered.title, path: path)
                return offered.title
            }
        }
        let title = try await withLadder(
            try await threads.opening.runIfActive {
                // What is left out was decided when the title was taken in.
                try PackagedTitle(file: MediaFile(path: path), leavesOutUnsupported: true)
            }, path: path)
        store(title, path: path)
        return title
    }

    private func stillHas(_ title: PackagedTitle, path: String) async throws -> Bool {
        try await threads.opening.runIfActive { [files] in
            // A file that was renamed a moment ago plays on until the library has noticed.
            files.identity(path).map { $0 == title.file.identity } ?? title.file.isLinked
        }
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
        let whole = try? await threads.opening.runIfActive {
            try title.adding(ladder.manifest.movies(in: ladder.folder))
        }
        return whole ?? title
    }

    /// Opens a title for a look that nobody watches: the index goes with the last reference, so that a library of
    /// thousands costs an idle server nothing.
    ///
    /// - Parameter leavesOutUnsupported: take the title as it is without the tracks that cannot be read.
    /// - Throws: what reading and packaging it throw.
    nonisolated func inspect(path: String, leavesOutUnsupported: Bool = false) async throws -> PackagedTitle {
        try await threads.library.runIfActive {
            try PackagedTitle(file: MediaFile(path: path), leavesOutUnsupported: leavesOutUnsupported)
        }
    }

    /// The same, unless reading the index may take long: `nil` then.
    nonisolated func inspectAtOnce(path: String) async throws -> PackagedTitle? {
        try await threads.library.runIfActive {
            let file = try MediaFile(path: path)
            let isReadAtOnce = try MovieIndex.isReadAtOnce(file, maximumByteCount: Self.maximumIndexByteCountAtOnce)
            return isReadAtOnce ? try PackagedTitle(file: file, leavesOutUnsupported: false) : nil
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

    /// A title's file has another path: who watches it has it open.
    func move(from old: String, to new: String) {
        guard old != new else { return }
        forget(path: new)
        if let ladder = ladders.removeValue(forKey: old) { ladders[new] = ladder }
        if let entry = entries.removeValue(forKey: old) { entries[new] = entry }
        if ingested?.path == old { ingested?.path = new }
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
    fileprivate convenience init(file: MediaFile, leavesOutUnsupported: Bool) throws {
        let index = try MovieIndex.read(from: file, damagedTracks: leavesOutUnsupported ? .leaveOut : .refuse)
        try self.init(index: index, file: file, leavesOutUnsupported: leavesOutUnsupported)
    }
}
