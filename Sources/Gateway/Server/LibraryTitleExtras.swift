import Foundation
import NIOPosix
import Packaging
import Synchronization
import VODLibrary

/// Finds what belongs to titles beside their files, and keeps it while it stays as it is: subtitles that have been read
/// need not be read again.
final class LibraryTitleExtras: Sendable {
    private let folder = SubtitleFolder()
    private let keys: TitleKeys?
    private let known = Mutex<[String: Known]>([:])

    private struct Known {
        /// ``PackagedTitle/instance``
        var title: Int
        var chapters: TitleChapters?
        var embedded: [SubtitleTrack]
        /// Beside the file.
        var subtitles: [SubtitleTrack]
    }

    /// Titles that are watched at a time, several times over.
    private static let maximumCount = 1_000

    init(keys: TitleKeys?) { self.keys = keys }

    /// - Parameters:
    ///   - id: the title's.
    ///   - revision: of the title's file.
    ///   - path: of the file that people see, beside which subtitles lie.
    func extras(
        of title: PackagedTitle, id: String, revision: String, besideFileAt path: String
    ) async throws -> TitleExtras {
        let known = known.withLock { $0[path] }
        let (folder, instance) = (folder, title.instance)
        let found = try await NIOThreadPool.singleton.runIfActive {
            let same = known?.title == instance ? known : nil
            // Only beside what the library made: what lies in the media folder is anybody's.
            let isConverted = title.file.path != path
            let texts = same == nil && isConverted ? TitleTexts(ofMovieAt: title.file.path) : nil
            return Known(
                title: instance,
                chapters: same.map(\.chapters) ?? TitleChapters(of: title.file) ?? texts?.titleChapters,
                embedded: same?.embedded ?? title.embeddedSubtitles() + (texts?.subtitles(of: title.file) ?? []),
                subtitles: folder.files(besideVideoAt: path).map { file in
                    same?.subtitles.first { $0.source == .file(file) } ?? SubtitleTrack(.file(file), of: title.file)
                })
        }
        self.known.withLock { known in
            if known.count >= Self.maximumCount { known.removeAll() }
            known[path] = found
        }
        let encryption = keys.flatMap { keys in
            keys.key(ofTitle: id, revision: revision).map { key in
                TitleEncryption(key: key, secret: keys.secret, now: Int64(Date().timeIntervalSince1970))
            }
        }
        return TitleExtras(
            subtitles: found.subtitles + found.embedded, chapters: found.chapters, encryption: encryption)
    }
}
