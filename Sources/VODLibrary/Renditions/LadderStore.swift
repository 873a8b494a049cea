import Foundation
import Glibc
import ISOBMFF
import LibraryCore
import MediaCore
import MediaWorker
import NIOPosix
import Packaging
import Transcoding

/// The ladders on disk: a folder for each title, in it one for each revision and request, in it the movies. The files
/// on disk are the only record of finished work.
struct LadderStore: Sendable {
    let directory: String

    init(dataDirectory: String) { directory = "\(dataDirectory)/ladders" }

    /// The folder of one title, revision and request.
    struct Folder: Sendable, Hashable {
        var path: String
        var titleID: String
        var revision: String
        var key: String

        /// The movies and chunks in the folder.
        var files: LadderFolder { LadderFolder(path: path) }
        var manifestPath: String { "\(path)/ladder.json" }
        /// The folder in which earlier versions kept chunks; a ladder that they began goes on with them.
        fileprivate var formerChunksPath: String { "\(path)/stretches" }
        /// Path of a text file with the number of workers for which the chunks are planned.
        var workerCountPath: String { "\(files.chunksPath)/workers" }
    }

    func folder(titleID: String, revision: String, key: String) -> Folder {
        Folder(
            path: "\(directory)/\(titleID)/\(revision)-\(key)", titleID: titleID, revision: revision, key: key)
    }

    /// The ID of the title to whose ladders a path belongs; `nil` for any other path.
    func titleID(ofPath path: String) -> String? {
        path.path(below: directory)?.pathComponents.first.map(String.init)
    }

    // MARK: What lies there

    /// All ladder folders, complete or not.
    func folders() -> [Folder] { names(in: directory).flatMap { folders(ofTitle: $0) } }

    func folders(ofTitle titleID: String) -> [Folder] {
        names(in: "\(directory)/\(titleID)").compactMap { name in
            guard let dash = name.lastIndex(of: "-") else { return nil }
            return folder(
                titleID: titleID, revision: String(name[..<dash]), key: String(name[name.index(after: dash)...]))
        }
    }

    private func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Sort key by age: smaller for ladders that were completed later; infinite if the ladder is not complete.
    func age(of folder: Folder) -> Double {
        var status = stat()
        guard stat(folder.manifestPath, &status) == 0 else { return .infinity }
        return -Double(status.st_mtim.tv_sec) - Double(status.st_mtim.tv_nsec) / 1e9
    }

    func manifest(in folder: Folder) -> LadderManifest? {
        guard let data = FileManager.default.contents(atPath: folder.manifestPath) else { return nil }
        return try? JSONDecoder().decode(LadderManifest.self, from: data)
    }

    /// The outcome of the last ladder of a title's revision; `nil` if there was none.
    func lastManifest(ofTitle titleID: String, revision: String) -> LadderManifest? {
        folders(ofTitle: titleID).filter { $0.revision == revision }.sorted { age(of: $0) < age(of: $1) }.lazy
            .compactMap(manifest).first
    }

    // MARK: Writing

    /// Begins or resumes a ladder.
    ///
    /// - Returns: the number of workers for which its chunks are planned. It is `workerCount`, or the number with which
    ///   the ladder was begun, so that the chunks still fit if the server has another number of cores now.
    func begin(_ folder: Folder, workerCount: Int) throws -> Int {
        // Fails unless an earlier version has begun the ladder and this one has not.
        rename(folder.formerChunksPath, folder.files.chunksPath)
        try FileManager.default.createDirectory(atPath: folder.files.chunksPath, withIntermediateDirectories: true)
        if let data = FileManager.default.contents(atPath: folder.workerCountPath),
            let noted = Int(String(decoding: data, as: UTF8.self)), noted > 0
        {
            return noted
        }
        try AtomicOutput.write(folder.workerCountPath) {
            try AtomicOutput.writeBytes(Array("\(workerCount)".utf8), to: $0)
        }
        return workerCount
    }

    /// Completes a ladder and deletes its chunks, which are no longer needed.
    func finish(_ manifest: LadderManifest, in folder: Folder) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try AtomicOutput.write(folder.manifestPath) {
            try AtomicOutput.writeBytes(Array(JSONEncoder().encode(manifest)), to: $0)
        }
        try? FileManager.default.removeItem(atPath: folder.files.chunksPath)
    }

    func delete(_ folder: Folder) {
        try? FileManager.default.removeItem(atPath: folder.path)
        // This removes the title's folder only if it is empty.
        rmdir("\(directory)/\(folder.titleID)")
    }

    // MARK: Space

    /// Factor for the required space. Movies are put together from chunks, so for a short time everything exists twice,
    /// and rates are averages.
    private static let spaceFactor = 2.2

    /// Checks that there is room for a ladder.
    ///
    /// - Throws: `LibraryError` if the disk does not have enough free space.
    func checkFreeSpace(for request: LadderRequest, seconds: Double) throws(LibraryError) {
        guard let free = DiskFile.freeByteCount(ofFolder: directory).map(Double.init) else { return }
        let rate =
            request.rungs.reduce(0.0) { $0 + Double($1.bitRate) }
            + Double((request.audio?.count ?? 0) * LadderAudioEncoding.bitRate)
        let needed = rate / 8 * seconds * Self.spaceFactor
        guard needed > free - Double(DiskFile.reservedByteCount) else { return }
        throw LibraryError(
            .storage,
            """
            no room on the disk of the data folder: making the renditions takes about \(Int(min(needed, 1e15)) >> 20) MiB, \
            \(Int(min(free, 1e15)) >> 20) MiB are free, and Antena leaves \(DiskFile.reservedByteCount >> 20) MiB free; make \
            room and try again
            """)
    }
}

extension LadderManifest {
    /// Opens the movies of a complete ladder.
    ///
    /// - Parameters:
    ///   - folder: the folder of the ladder.
    ///   - files: opens the movies.
    ///   - threads: the threads that may wait for the disk or the network.
    func movies(
        in folder: LadderStore.Folder, files: LibraryFiles, threads: LibraryThreads
    ) async throws -> LadderMedia {
        var opened: [LadderMovie] = []
        let audio = audio ?? []
        for movie in movies {
            guard let timescale = Timescale(checking: movie.timescale) else {
                throw LibraryError(.storage, "\(folder.manifestPath) is damaged")
            }
            let name = request.renditionName(movie.rung)
            let path = folder.files.moviePath(movie.rung)
            opened.append(
                try await files.read(path, on: threads.opening, remotelyOn: threads.fetching) { file in
                    LadderMovie(
                        name: name, index: try MovieIndex.read(from: file), file: file,
                        start: MediaTime(value: movie.start, timescale: timescale),
                        takesLadderAudio: movie.rung.bandwidthLimit != nil && !audio.isEmpty)
                })
        }
        var openedAudio: [LadderAudio] = []
        for (number, audio) in audio.enumerated() {
            let name = request.audioName(number)
            openedAudio.append(
                try await files.read(
                    folder.files.audioPath(number), on: threads.opening, remotelyOn: threads.fetching
                ) { file in
                    LadderAudio(
                        name: name, index: try MovieIndex.read(from: file), file: file, replaced: audio.replaced,
                        delay: MediaTime(value: audio.delay, timescale: .microseconds))
                })
        }
        return LadderMedia(movies: opened, audio: openedAudio)
    }
}
