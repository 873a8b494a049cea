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
            }
    }

    package var language: LanguageTag? {
        switch source {
        case .file(let file): file.language
        case .track(let track): track.language
        }
    }

    /// Only what is to be read whoever listens: signs, and foreign speech.
    package var isForced: Bool {
        switch source {
        case .file(let file): file.isForced
        case .track(let track): track.isForced
        }
    }

    /// With speakers and noises, for those who do not hear.
    package var isForTheDeaf: Bool { if case .file(let file) = source { file.isForTheDeaf } else { false } }
    package var isDefault: Bool { if case .file(let file) = source { file.isDefault } else { false } }

    /// `nil` as long as ``load()`` has not been called.
    package var loaded: SubtitleDocument? { document.withLock { $0 } }

    /// Reads the texts: not for event loops. A file that has grown too large or has gone shows nothing.
    package func load() -> SubtitleDocument {
        if let loaded { return loaded }
        let found = read() ?? SubtitleDocument()
        document.withLock { $0 = found }
        return found
    }

    private func read() -> SubtitleDocument? {
        switch source {
        case .file(let file):
            guard let opened = try? MediaFile(path: file.path), opened.byteCount > 0,
                opened.byteCount <= SubtitleDocument.maximumFileByteCount,
                let bytes = try? opened.read(at: 0, count: Int(opened.byteCount))
            else { return nil }
            return SubtitleDocument(parsing: bytes, format: file.format)
        case .track(let track):
            return (try? track.cues(in: video)).map { SubtitleDocument($0, format: track.format) }
        }
    }
}
