package import ISOBMFF
package import MediaCore
import Synchronization

/// A subtitle track of a title, which is read on the first request.
package final class SubtitleTrack: Sendable {
    /// The origin of the subtitles.
    package enum Source: Sendable, Hashable {
        /// A file beside the video.
        case file(SubtitleFile)
        /// A text track inside the video.
        case track(MovieTextTrack)
        /// Subtitles extracted from the file from which the video was made.
        case extracted(ExtractedSubtitles)
    }

    /// The origin of the subtitles.
    package let source: Source
    /// A string that changes whenever the subtitles do; for a track inside the video, whenever the video does.
    package let revision: String
    private let video: MediaFile
    private let document = Mutex<SubtitleDocument?>(nil)

    /// Creates a track.
    ///
    /// - Parameters:
    ///   - source: A subtitle file, or a track of the video.
    ///   - video: The video that the subtitles belong to.
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

    /// The language; `nil` if unknown.
    package var language: LanguageTag? {
        switch source {
        case .file(let file): file.language
        case .track(let track): track.language
        case .extracted(let file): file.language
        }
    }

    /// The title that the author gave the track; `nil` if there is none.
    package var title: String? {
        switch source {
        case .file: nil
        case .track(let track): track.name
        case .extracted(let file): file.title
        }
    }

    /// True if the subtitles are forced: signs and foreign speech only.
    package var isForced: Bool {
        switch source {
        case .file(let file): file.isForced
        case .track(let track): track.isForced
        case .extracted(let file): file.isForced
        }
    }

    /// True if the subtitles describe speakers and noises, for people who are deaf or hard of hearing.
    package var isForTheDeaf: Bool {
        switch source {
        case .file(let file): file.isForTheDeaf
        case .track(let track): track.isForTheDeaf
        case .extracted(let file): file.isForTheDeaf
        }
    }

    /// True if the source marks the track as the default.
    package var isDefault: Bool {
        switch source {
        case .file(let file): file.isDefault
        case .track: false
        case .extracted(let file): file.isDefault
        }
    }

    /// The cues; `nil` until ``load()`` has been called.
    package var loaded: SubtitleDocument? { document.withLock { $0 } }

    /// Reads the cues: not for event loops. The result is empty if the file has grown too large or is gone.
    package func load() -> SubtitleDocument {
        if let loaded { return loaded }
        let found = read() ?? SubtitleDocument()
        document.withLock { $0 = found }
        return found
    }

    /// Returns whether the track has cues. Reads them without keeping them: not for event loops.
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
