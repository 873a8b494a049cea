package import ISOBMFF
package import MediaCore
import Synchronization

/// A title's subtitles in one language, read when the first viewer wants them.
package final class SubtitleTrack: Sendable {
    package enum Source: Sendable, Hashable {
        /// Beside the video.
        case file(SubtitleFile)
        /// Inside of it.
        case track(MovieTextTrack)
        /// Inside of the file that the video was made of.
        case extracted(ExtractedSubtitles)
    }

    package let source: Source
    /// Changes whenever the texts do; of a track inside of the video, with the video.
    package let revision: String
    private let video: MediaFile
    private let document = Mutex<SubtitleDocument?>(nil)

    /// - Parameter video: what they are shown with.
    package init(_ source: Source, of video: MediaFile) {
        self.source = source
        self.video = video
        revision =
            switch source {
            case .file(let file): SubtitleFile.revision(of: file.identity)
            case .track(let track): SubtitleFile.revision(of: video.identity) + "-\(track.id)"
            case .extracted(let file): SubtitleFile.revision(of: file.identity)
            }
    }

    package var language: LanguageTag? {
        switch source {
        case .file(let file): file.language
        case .track(let track): track.language
        case .extracted(let file): file.language
        }
    }

    /// The author's name for it.
    package var title: String? { if case .extracted(let file) = source { file.title } else { nil } }

    /// Only what is to be read whoever listens: signs, and foreign speech.
    package var isForced: Bool {
        switch source {
        case .file(let file): file.isForced
        case .track(let track): track.isForced
        case .extracted(let file): file.isForced
        }
    }

    /// With speakers and noises, for those who do not hear.
    package var isForTheDeaf: Bool {
        switch source {
        case .file(let file): file.isForTheDeaf
        case .track: false
        case .extracted(let file): file.isForTheDeaf
        }
    }

    package var isDefault: Bool {
        switch source {
        case .file(let file): file.isDefault
        case .track: false
        case .extracted(let file): file.isDefault
        }
    }

    /// `nil` as long as ``load()`` has not been called.
    package var loaded: SubtitleDocument? { document.withLock { $0 } }

    /// Reads the texts: not for event loops. A file that has grown too large or has gone shows nothing.
    package func load() -> SubtitleDocument {
        if let loaded { return loaded }
        let found = read() ?? SubtitleDocument()
        document.withLock { $0 = found }
        return found
    }

    /// Whether there is anything to show. Reads the texts and keeps none: not for event loops.
    package func hasCues() -> Bool { (loaded ?? read())?.cues.isEmpty == false }

    private func read() -> SubtitleDocument? {
        switch source {
        case .file(let file): return Self.document(at: file.path, format: file.format, language: file.language)
        case .extracted(let file): return Self.document(at: file.path, format: .webVTT)
        case .track(let track):
            return (try? track.cues(in: video)).map { SubtitleDocument($0, format: track.format) }
        }
    }

    private static func document(
        at path: String, format: SubtitleDocument.Format, language: LanguageTag? = nil
    ) -> SubtitleDocument? {
        guard let opened = try? MediaFile(path: path), opened.byteCount > 0,
            opened.byteCount <= SubtitleDocument.maximumFileByteCount,
            let bytes = try? opened.read(at: 0, count: Int(opened.byteCount))
        else { return nil }
        return SubtitleDocument(parsing: bytes, format: format, language: language)
    }
}
