import MediaCore
import NIOCore

/// Finds a movie's chapters: in Nero's list (`udta`/`chpl`), or in a QuickTime chapter track (`tref`/`chap`; QTFF,
/// "Chapter Lists"). Read by itself when somebody asks: a title is playable without.
package struct MovieChapters {
    private let file: any RandomAccessData
    private var movie: [Box] = []

    /// In the order of their starts; empty where there are none, or none that make sense.
    package static func read(from file: some RandomAccessData) throws -> [MovieChapter] {
        let chapters = try MovieChapters(file)
        let found = try chapters.listed() ?? chapters.ofTrack() ?? []
        return Array(found.sorted { $0.start < $1.start }.prefix(MovieChapter.maximumCount))
    }

    private init(_ file: some RandomAccessData) throws {
        self.file = file
        var offset: Int64 = 0
        for _ in 0..<Self.maximumBoxCount where offset < file.byteCount {
            let header = try MovieIndex.readHeader(from: file, at: offset)
            if header.type == "moov" {
                movie = try Box(header: header, in: file).children()
                return
            }
            offset = header.endOffset
        }
    }

    /// In front of `moov`, of a file that is no recording.
    private static let maximumBoxCount = 64

    // MARK: Nero

    private func listed() throws -> [MovieChapter]? {
        guard let list = try movie.first("udta")?.children().first("chpl") else { return nil }
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

    /// Hundreds of nanoseconds.
    private static let timescale = Timescale(10_000_000)

    // MARK: QuickTime

    private func ofTrack() throws -> [MovieChapter]? {
        let tracks = try movie.filter { $0.type == "trak" }.prefix(MovieIndex.maximumTrackCount).map { track in
            (track, try track.children())
        }
        // The first track that refers to a list; which one it is they agree on.
        let reference = try tracks.lazy.compactMap { try $1.first("tref")?.children().first("chap") }.first
        guard var numbers = try reference?.payload(), let number = numbers.readInteger(as: UInt32.self) else {
            return nil
        }
        for (track, children) in tracks where try Self.trackID(children, of: track) == number {
            return try chapters(children, of: track)
        }
        return nil
    }

    private static func trackID(_ children: [Box], of track: Box) throws -> UInt32 {
        let header = try children.required("tkhd", in: track)
        var (version, _, rest) = try header.fullBox()
        try rest.skipField(version == 1 ? 16 : 8, of: header)
        return try rest.readField(UInt32.self, of: header)
    }

    private func chapters(_ children: [Box], of track: Box) throws -> [MovieChapter]? {
        let media = try children.required("mdia", in: track)
        let mediaChildren = try media.children()
        let header = try mediaChildren.required("mdhd", in: media)
        var (version, _, rest) = try header.fullBox()
        let timescale = try rest.readTimescaleAndDuration(version: version, of: header).timescale
        let information = try mediaChildren.required("minf", in: media)
        let table = try information.children().required("stbl", in: information)
        let samples = try SampleTable(
            parsing: table, fileByteCount: file.byteCount, limit: SampleLimit(MovieChapter.maximumCount))
        var chapters: [MovieChapter] = []
        var time: Int64 = 0
        for sample in 0..<samples.count {
            let byteCount = min(Int(samples.byteCounts[sample]), 2 + MovieChapter.maximumTitleByteCount)
            let bytes = try file.read(at: samples.offsets[sample], count: byteCount)
            chapters.append(
                MovieChapter(start: MediaTime(value: time, timescale: timescale), title: Self.title(of: bytes)))
            time = time.addingSaturating(Int64(samples.durations[sample]))
        }
        return chapters.isEmpty ? nil : chapters
    }

    /// A text sample: a length, then UTF-8, or UTF-16 with a byte order mark (QTFF, "Text Sample Data").
    private static func title(of sample: ByteBuffer) -> String {
        var sample = sample
        let length = Int(sample.readInteger(as: UInt16.self) ?? 0)
        guard let text = sample.readBytes(length: min(length, sample.readableBytes)) else { return "" }
        guard text.starts(with: [0xFE, 0xFF]) else { return clean(String(decoding: text, as: UTF8.self)) }
        let units = stride(from: 2, to: text.count - 1, by: 2).map { UInt16(text[$0]) << 8 | UInt16(text[$0 + 1]) }
        return clean(String(decoding: units, as: UTF16.self))
    }

    private static func clean(_ title: String) -> String {
        String(title.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
    }
}
