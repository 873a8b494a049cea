import MediaCore
import NIOCore

/// Reads a movie's chapters from Nero's list (`udta`/`chpl`) or from a QuickTime chapter track (`tref`/`chap`; QTFF,
/// "Chapter Lists"). Chapters are read separately and on demand, because a title is playable without them.
package struct MovieChapters {
    private let movie: MovieContents

    /// The chapters in the order of their starts; empty if there are none or they are not usable.
    package static func read(from file: some RandomAccessData) throws -> [MovieChapter] {
        let chapters = MovieChapters(movie: try MovieContents(of: file))
        let found = try chapters.listed() ?? chapters.ofTrack() ?? []
        return Array(found.sorted { $0.start < $1.start }.prefix(MovieChapter.maximumCount))
    }

    // MARK: Nero

    private func listed() throws -> [MovieChapter]? {
        guard let list = try movie.boxes.first("udta")?.children().first("chpl") else { return nil }
        var (version, _, rest) = try list.fullBox()
        if version >= 1 { try rest.skipField(4, of: list) }
        let count = Int(try rest.readField(UInt8.self, of: list))
        var chapters: [MovieChapter] = []
        for _ in 0..<count {
            let start = try rest.readField(UInt64.self, of: list)
            let byteCount = Int(try rest.readField(UInt8.self, of: list))
            guard let title = rest.readString(length: byteCount) else { throw list.invalid("ends too early") }
            chapters.append(
                MovieChapter(
                    start: MediaTime(value: Int64(clamping: start), timescale: Self.timescale), title: Self.clean(title)
                ))
        }
        return chapters.isEmpty ? nil : chapters
    }

    /// Ticks of 100 nanoseconds.
    private static let timescale = Timescale(10_000_000)

    // MARK: QuickTime

    private func ofTrack() throws -> [MovieChapter]? {
        let tracks = try movie.tracks()
        let references = try MovieContents.chapterTrackIDs(tracks)
        guard let track = try tracks.first(where: { references.contains(try $0.id()) }) else { return nil }
        let media = try track.media()
        let samples = try SampleTable(
            parsing: media.sampleTable, fileByteCount: movie.file.byteCount,
            limit: SampleLimit(MovieChapter.maximumCount))
        var chapters: [MovieChapter] = []
        var time: Int64 = 0
        for sample in 0..<samples.count {
            let byteCount = min(Int(samples.byteCounts[sample]), 2 + MovieChapter.maximumTitleByteCount)
            let bytes = try movie.file.read(at: samples.offsets[sample], count: byteCount)
            chapters.append(
                MovieChapter(
                    start: MediaTime(value: time, timescale: media.timescale), title: Self.clean(bytes.timedText)))
            time = time.addingSaturating(Int64(samples.durations[sample]))
        }
        return chapters.isEmpty ? nil : chapters
    }

    private static func clean(_ title: String) -> String {
        String(title.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
    }
}
