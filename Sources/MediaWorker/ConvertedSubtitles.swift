import FoundationEssentials
import Glibc
import ISOBMFF
import MediaCore
import NIOCore
package import Packaging
import Transcoding

/// The subtitles, one file each, and the chapters that were found in a source file when a movie was made from it.
/// Stored in a folder beside the movie.
package struct ConvertedSubtitles: Codable, Sendable, Equatable {
    struct Track: Codable, Sendable, Equatable {
        var language: String?
        var title: String?
        var isDefault: Bool
        var isForced: Bool
        var isForTheDeaf: Bool
    }

    struct Chapter: Codable, Sendable, Equatable {
        /// Start in milliseconds.
        var start: Int64
        var title: String
    }

    var tracks: [Track] = []
    var chapters: [Chapter] = []

    /// Allowed start times in milliseconds: up to thirty years. A worker wrote them, so they may be any value.
    private static let startTimes: ClosedRange<Int64> = 0...1_000_000_000_000

    static let fileName = "texts.json"
    /// The name of a track's file. Names are never taken from a worker, which has read untrusted input.
    private static func fileName(ofTrack index: Int) -> String { "\(index + 1).vtt" }
    /// Limit on the size of the manifest: a thousand chapters of a thousand letters.
    private static let maximumByteCount = 4 << 20

    /// The folder for a movie.
    ///
    /// - Parameter path: the path of the movie.
    package static func folder(ofMovieAt path: String) -> String { path + ".texts" }

    /// The files that a worker may write for a movie.
    static func outputs(ofMovieAt path: String) -> [WorkerOutput] {
        let (folder, inner) = (folder(ofMovieAt: path), folder(ofMovieAt: FilePathText.name(of: path)))
        func output(_ name: String, _ maximumByteCount: Int64) -> WorkerOutput {
            WorkerOutput(
                name: "\(inner)/\(name)", path: "\(folder)/\(name)", maximumByteCount: maximumByteCount,
                isRequired: false)
        }
        return (0..<SubtitleFile.maximumCount).map { output(fileName(ofTrack: $0), maximumTrackByteCount) }
            + [output(fileName, Int64(maximumByteCount))]
    }

    /// Limit on the size of one track's subtitles, enough for a day.
    private static let maximumTrackByteCount: Int64 = 64 << 20

    /// Reads the manifest of a movie; `nil` if there is none, because the movie may be an unconverted file. Blocks, so
    /// it must not be called on an event loop.
    package init?(ofMovieAt path: String) {
        let manifest = "\(Self.folder(ofMovieAt: path))/\(Self.fileName)"
        guard let file = try? MediaFile(path: manifest), file.byteCount <= Self.maximumByteCount,
            let bytes = try? file.read(at: 0, count: Int(file.byteCount)),
            let subtitles = try? JSONDecoder().decode(ConvertedSubtitles.self, from: Data(bytes.readableBytesView))
        else { return nil }
        self = subtitles
    }

    /// The subtitle tracks of a movie.
    ///
    /// - Parameter movie: the movie beside which the subtitles lie.
    package func subtitles(of movie: MediaFile) -> [SubtitleTrack] {
        let folder = Self.folder(ofMovieAt: movie.path)
        return tracks.prefix(SubtitleFile.maximumCount).enumerated().compactMap { index, track in
            ExtractedSubtitles(
                path: "\(folder)/\(Self.fileName(ofTrack: index))", language: track.language.flatMap(LanguageTag.init),
                title: track.title,
                isForced: track.isForced, isForTheDeaf: track.isForTheDeaf, isDefault: track.isDefault
            ).map { SubtitleTrack(.extracted($0), of: movie) }
        }
    }

    package var titleChapters: TitleChapters? {
        TitleChapters(
            chapters.prefix(MovieChapter.maximumCount).filter { Self.startTimes.contains($0.start) }.map {
                MovieChapter(
                    start: MediaTime(value: $0.start, timescale: .milliseconds), title: TagText.clean($0.title) ?? "")
            })
    }
}

// MARK: In the worker

extension ConvertedSubtitles {
    /// Writes the subtitles and chapters that a conversion found into the folder beside the movie, if that exists.
    static func write(_ outcome: MovieConversion.Outcome, besideMovieAt path: String) throws {
        let folder = folder(ofMovieAt: path)
        guard access(folder, W_OK) == 0 else { return }
        var subtitles = ConvertedSubtitles()
        for stream in outcome.subtitles {
            let document = SubtitleDocument(
                stream.cues.map(EmbeddedText.init), format: .init(stream.format),
                language: stream.language.flatMap { LanguageTag($0) })
            guard !document.cues.isEmpty else { continue }
            try AtomicOutput.write("\(folder)/\(fileName(ofTrack: subtitles.tracks.count))") {
                try AtomicOutput.writeBytes(Array(document.webVTT().utf8), to: $0)
            }
            subtitles.tracks.append(Track(stream))
        }
        subtitles.chapters = outcome.chapters.enumerated().map { index, chapter in
            Chapter(start: chapter.start, title: chapter.title.isEmpty ? "\(index + 1)" : chapter.title)
        }
        guard subtitles != ConvertedSubtitles() else { return }
        let manifest = try JSONEncoder().encode(subtitles)
        try AtomicOutput.write("\(folder)/\(fileName)") { try AtomicOutput.writeBytes(Array(manifest), to: $0) }
    }

    private init() {}
}

extension ConvertedSubtitles.Track {
    fileprivate init(_ stream: SubtitleStream) {
        self.init(
            language: stream.language, title: stream.title, isDefault: stream.isDefault,
            isForced: stream.isForced, isForTheDeaf: stream.isForTheDeaf)
    }
}

extension EmbeddedText {
    fileprivate init(_ cue: SubtitleStream.Cue) {
        self.init(start: cue.start, end: cue.end, settings: cue.settings, bytes: cue.bytes)
    }
}

extension EmbeddedText.Format {
    fileprivate init(_ format: SubtitleStream.Format) {
        switch format {
        case .subRip: self = .subRip
        case .subStation: self = .subStation
        case .webVTT: self = .webVTT
        case .timedText: self = .timedText
        case .plain: self = .plain
        }
    }
}
