import Foundation
import Logging
import NIOPosix
import Packaging
import Synchronization
import VODLibrary

/// Finds what belongs to titles beside their files, and keeps it while it stays as it is: subtitles that have been read
/// need not be read again.
final class LibraryTitleExtras: Sendable {
    private let folder = SubtitleFolder()
    private let keys: TitleKeys?
    private let logger: Logger
    private let known = Mutex<[String: Known]>([:])

    private struct Known {
        /// ``PackagedTitle/instance``
        var title: Int
        var chapters: TitleChapters?
        var embedded: [SubtitleTrack]
        /// Beside the file.
        var subtitles: [SubtitleTrack]
        /// Beside the file, without a cue that can be read: not offered to anybody.
        var empty: Set<SubtitleFile>
    }

    /// Titles that are watched at a time, several times over.
    private static let maximumCount = 1_000

    private let threadPool: NIOThreadPool

    /// - Parameter threadPool: reads subtitles and chapters.
    init(keys: TitleKeys?, threadPool: NIOThreadPool, logger: Logger) {
        self.keys = keys
        self.threadPool = threadPool
        self.logger = logger
    }

    /// - Parameters:
    ///   - id: the title's.
    ///   - revision: of the title's file.
    ///   - path: of the file that people see, beside which subtitles lie.
    /// - Throws: ``TitleKeyError``, and what reading throws.
    func extras(
        of title: PackagedTitle, id: String, revision: String, besideFileAt path: String
    ) async throws -> TitleExtras {
        let known = known.withLock { $0[path] }
        let (folder, logger, instance) = (folder, logger, title.instance)
        let found = try await threadPool.runIfActive {
            let same = known?.title == instance ? known : nil
            // Only beside what the library made: what lies in the media folder is anybody's.
            let isConverted = title.file.path != path
            let texts = same == nil && isConverted ? TitleTexts(ofMovieAt: title.file.path) : nil
            var subtitles: [SubtitleTrack] = []
            var empty: Set<SubtitleFile> = []
            for file in folder.files(besideVideoAt: path) {
                if let track = same?.subtitles.first(where: { $0.source == .file(file) }) {
                    subtitles.append(track)
                    continue
                }
                let track = SubtitleTrack(.file(file), of: title.file)
                if known?.empty.contains(file) == true || !track.hasCues() {
                    empty.insert(file)
                    guard known?.empty.contains(file) != true else { continue }
                    logger.warning(
                        "subtitle file has no cue that can be read; not offered",
                        metadata: ["title.id": "\(id)", "title.file": "\(file.path)"])
                } else {
                    subtitles.append(track)
                }
            }
            return Known(
                title: instance,
                chapters: same.map(\.chapters) ?? TitleChapters(of: title.file) ?? texts?.titleChapters,
                embedded: same?.embedded ?? title.embeddedSubtitles() + (texts?.subtitles(of: title.file) ?? []),
                subtitles: subtitles, empty: empty)
        }
        self.known.withLock { known in
            if known.count >= Self.maximumCount { known.removeAll() }
            known[path] = found
        }
        let encryption = try await encryption(ofTitle: id, revision: revision)
        return TitleExtras(
            subtitles: found.subtitles + found.embedded, chapters: found.chapters, encryption: encryption)
    }

    /// - Throws: ``TitleKeyError`` if the title must not be served, because its key is damaged.
    private func encryption(ofTitle id: String, revision: String) async throws -> TitleEncryption? {
        guard let keys else { return nil }
        if keys.problem(ofTitle: id) != nil {
            try await NIOThreadPool.singleton.runIfActive { keys.recover(title: id) }
        }
        return try keys.key(ofTitle: id, revision: revision).map { key in
            TitleEncryption(key: key, secret: keys.secret, now: Int64(Date().timeIntervalSince1970))
        }
    }
}
