import Foundation
import HLSDelivery
import Logging
import LogMetadata
import MediaCore
import MediaWorker
import NIOPosix
import Packaging
import Synchronization

/// Finds the subtitles, chapters and keys that belong to titles, and caches them until the files change.
final class LibraryTitleExtras: Sendable {
    private let folder = SubtitleFolder()
    private let keys: TitleKeys?
    private let logger: Logger
    private let known = Mutex<[String: Known]>([:])

    private struct Known {
        /// The title's ``PackagedTitle/instance``.
        var title: Int
        var chapters: TitleChapters?
        var embedded: [SubtitleTrack]
        /// Subtitles from files beside the media file.
        var subtitles: [SubtitleTrack]
        var thumbnails: ThumbnailSheets?
        /// Files beside the media file without a readable cue; they are not offered.
        var empty: Set<SubtitleFile>
    }

    /// Limit of cached titles, several times the number watched concurrently.
    private static let maximumCount = 1_000

    private let threadPool: NIOThreadPool
    private let clock: WallClock

    /// - Parameter threadPool: reads subtitles and chapters.
    init(keys: TitleKeys?, threadPool: NIOThreadPool, clock: WallClock = .system, logger: Logger) {
        self.keys = keys
        self.clock = clock
        self.threadPool = threadPool
        self.logger = logger
    }

    /// The extras of a title.
    ///
    /// - Parameters:
    ///   - id: the title's ID.
    ///   - revision: the revision of the title's file.
    ///   - path: the path of the user's media file, beside which subtitle files lie.
    ///   - storyboard: the path of the index of the title's thumbnails; `nil` if it has none.
    /// - Throws: `TitleKeyError`, and errors of reading the files.
    func extras(
        of title: PackagedTitle, id: String, revision: String, besideFileAt path: String, storyboard: String? = nil
    ) async throws -> TitleExtras {
        let known = known.withLock { $0[path] }
        let (folder, logger, instance, now) = (folder, logger, title.instance, clock.now())
        let found = try await threadPool.runIfActive {
            let same = known?.title == instance ? known : nil
            // Extracted subtitles and chapters are read only beside files made by the library; anyone may put files
            // into the media folder.
            let isConverted = title.file.path != path
            let converted = same == nil && isConverted ? ConvertedSubtitles(ofMovieAt: title.file.path) : nil
            var subtitles: [SubtitleTrack] = []
            var empty: Set<SubtitleFile> = []
            for file in folder.files(besideVideoAt: path, now: now) {
                if let track = same?.subtitles.first(where: { $0.source == .file(file) }) {
                    subtitles.append(track)
                    continue
                }
                let track = SubtitleTrack(.file(file), of: title.file)
                if known?.empty.contains(file) == true || !track.hasCues() {
                    empty.insert(file)
                    guard known?.empty.contains(file) != true else { continue }
                    logger.warning(
                        "subtitle file skipped: it has no readable cues",
                        metadata: [.titleID: "\(id)", .titleFile: "\(file.path)"])
                } else {
                    subtitles.append(track)
                }
            }
            return Known(
                title: instance,
                chapters: same.map(\.chapters) ?? TitleChapters(of: title.file) ?? converted?.titleChapters,
                embedded: same?.embedded ?? title.embeddedSubtitles() + (converted?.subtitles(of: title.file) ?? []),
                subtitles: subtitles,
                thumbnails: same?.thumbnails ?? storyboard.flatMap { ThumbnailSheets(indexAt: $0) }, empty: empty)
        }
        self.known.withLock { known in
            if known.count >= Self.maximumCount { known.removeAll() }
            known[path] = found
        }
        let encryption = try await encryption(ofTitle: id, revision: revision)
        return TitleExtras(
            subtitles: found.subtitles + found.embedded, chapters: found.chapters, encryption: encryption,
            thumbnails: found.thumbnails)
    }

    /// - Throws: `TitleKeyError` if the title must not be served, because its key is damaged.
    private func encryption(ofTitle id: String, revision: String) async throws -> TitleEncryption? {
        guard let keys else { return nil }
        if keys.problem(ofTitle: id) != nil {
            try await NIOThreadPool.singleton.runIfActive { keys.recover(title: id) }
        }
        return try keys.encryption(ofTitle: id, revision: revision, now: clock.now())
    }
}

extension ThumbnailSheets {
    /// Bytes of an index that are read: the first thumbnail is described at the beginning.
    private static let maximumHeadByteCount = 1_024

    /// Reads the beginning of a storyboard's index; `nil` if it cannot be read.
    fileprivate init?(indexAt path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: Self.maximumHeadByteCount),
            let first = Storyboard.FirstTile(index: String(decoding: head, as: UTF8.self))
        else { return nil }
        self.init(
            address: first.sheets, interval: first.interval, columnCount: Storyboard.columnCount,
            rowCount: Storyboard.rowCount, tileWidth: first.width, tileHeight: first.height)
    }
}
