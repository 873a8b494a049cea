import MediaCore
import NIOCore

/// A movie's boxes, read on demand, for data that is needed later than its index.
struct MovieContents {
    let file: any RandomAccessData
    /// Boxes directly inside `moov`; empty if there is none.
    let boxes: [Box]

    /// Limit on the boxes before `moov`, which is enough for files that are not recordings.
    private static let maximumBoxCount = 64

    init(of file: some RandomAccessData) throws {
        self.file = file
        var offset: Int64 = 0
        var boxes: [Box] = []
        for _ in 0..<Self.maximumBoxCount where offset < file.byteCount {
            let header = try MovieIndex.readHeader(from: file, at: offset)
            if header.type == "moov" {
                boxes = try Box(header: header, in: file).children()
                break
            }
            offset = header.endOffset
        }
        self.boxes = boxes
    }

    /// A `trak` whose inner boxes are read on demand.
    struct Track {
        let box: Box
        let children: [Box]

        struct Media {
            var timescale: Timescale
            var language: LanguageTag?
            /// Handler type from `hdlr`.
            var handler: FourCC
            /// The track's `stbl` box.
            var sampleTable: Box
        }

        func id() throws -> UInt32 {
            let header = try children.required("tkhd", in: box)
            var (version, _, rest) = try header.fullBox()
            try rest.skipField(version == 1 ? 16 : 8, of: header)
            return try rest.readField(UInt32.self, of: header)
        }

        func media() throws -> Media {
            let media = try children.required("mdia", in: box)
            let children = try media.children()
            let header = try children.required("mdhd", in: media)
            var (version, _, rest) = try header.fullBox()
            let timescale = try rest.readTimescaleAndDuration(version: version, of: header).timescale
            let languageCode = try rest.readField(UInt16.self, of: header)
            let reference = try children.required("hdlr", in: media)
            var fields = try reference.fullBox().rest
            try fields.skipField(4, of: reference)
            let information = try children.required("minf", in: media)
            return Media(
                timescale: timescale,
                language: LanguageTag(extended: children.first("elng")) ?? LanguageTag(packed: languageCode),
                handler: FourCC(rawValue: try fields.readField(UInt32.self, of: reference)),
                sampleTable: try information.children().required("stbl", in: information))
        }
    }

    func tracks() throws -> [Track] {
        try boxes.filter { $0.type == "trak" }.prefix(MovieIndex.maximumTrackCount).map { box in
            Track(box: box, children: try box.children())
        }
    }

    /// IDs of the tracks that other tracks reference as their chapter lists.
    static func chapterTrackIDs(_ tracks: [Track]) throws -> Set<UInt32> {
        var identifiers: Set<UInt32> = []
        for track in tracks {
            guard var numbers = try track.children.first("tref")?.children().first("chap")?.payload() else { continue }
            while let number = numbers.readInteger(as: UInt32.self) { identifiers.insert(number) }
        }
        return identifiers
    }
}

extension ByteBuffer {
    /// The text of a text sample: a length, then UTF-8, or UTF-16 with a byte order mark (3GPP TS 26.245 §5.17; QTFF,
    /// "Text Sample Data").
    var timedText: String {
        var sample = self
        let length = Int(sample.readInteger(as: UInt16.self) ?? 0)
        guard let text = sample.readBytes(length: min(length, sample.readableBytes)) else { return "" }
        guard text.starts(with: [0xFE, 0xFF]) else { return String(decoding: text, as: UTF8.self) }
        let units = stride(from: 2, to: text.count - 1, by: 2).map { UInt16(text[$0]) << 8 | UInt16(text[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }
}
