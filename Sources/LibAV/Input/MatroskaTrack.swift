import Glibc

/// The properties in a TrackEntry of a Matroska file (RFC 9559 §5.1.4.1) that libav does not pass on.
struct MatroskaTrack: Hashable {
    /// Video, audio or subtitles; libav makes no stream of any other kind.
    var kind: StreamInfo.Kind
    /// LanguageBCP47, such as `zh-Hant`, which takes precedence over the older three letters; `nil` if there is none.
    var language: String?
    /// True if the frames are encrypted (§5.1.4.1.31.9).
    var isEncrypted: Bool

    /// The largest `Tracks` element to read; an ordinary one takes a few kilobytes.
    private static let maximumByteCount = 4 << 20
    /// The largest number of elements before `Tracks`.
    private static let maximumElementCount = 64
    /// The largest language tag (RFC 5646 §4.4.1).
    private static let maximumLanguageByteCount = 35

    /// Identifiers of elements (RFC 9559 §5.1, RFC 8794 §11.2).
    private enum ID {
        static let header: UInt32 = 0x1A45_DFA3
        static let segment: UInt32 = 0x1853_8067
        static let cluster: UInt32 = 0x1F43_B675
        static let tracks: UInt32 = 0x1654_AE6B
        static let trackEntry: UInt32 = 0xAE
        static let trackType: UInt32 = 0x83
        static let languageBCP47: UInt32 = 0x22_B59D
        static let contentEncodings: UInt32 = 0x6D80
        static let contentEncoding: UInt32 = 0x6240
        static let contentEncodingType: UInt32 = 0x5033
        static let contentEncryption: UInt32 = 0x5035
    }

    /// Reads the tracks of a file.
    ///
    /// - Returns: the tracks of the kinds above in the order of the file; empty if it is not Matroska, or damaged.
    static func read(path: String) -> [MatroskaTrack] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return read { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            let found = pread(descriptor, &bytes, count, off_t(offset))
            return found > 0 ? Array(bytes.prefix(found)) : []
        }
    }

    /// Reads the tracks.
    ///
    /// - Parameter bytes: returns up to `count` bytes at `offset`; fewer at the end.
    static func read(_ bytes: (_ offset: Int64, _ count: Int) -> [UInt8]) -> [MatroskaTrack] {
        var offset: Int64 = 0
        for position in 0..<maximumElementCount {
            var reader = EBMLReader(bytes(offset, EBMLReader.maximumHeaderByteCount)[...])
            guard let header = reader.readHeader(), position > 0 || header.id == ID.header else { return [] }
            let start = offset + Int64(header.byteCount)
            switch header.id {
            // Its children follow, whatever size it has.
            case ID.segment: offset = start
            case ID.cluster: return []
            case ID.tracks:
                guard let size = header.contentByteCount, size <= maximumByteCount else { return [] }
                return EBMLReader(bytes(start, Int(size))[...]).children(ID.trackEntry).compactMap(MatroskaTrack.init)
            default:
                guard let size = header.contentByteCount else { return [] }
                let (end, overflows) = start.addingReportingOverflow(size)
                guard !overflows else { return [] }
                offset = end
            }
        }
        return []
    }

    /// Reads a TrackEntry; `nil` for a kind of track that libav makes no stream of.
    private init?(_ entry: EBMLReader) {
        switch entry.children(ID.trackType).first?.unsigned {
        case 1: kind = .video
        case 2: kind = .audio
        case 0x11: kind = .subtitle
        default: return nil
        }
        language = entry.children(ID.languageBCP47).first.flatMap { element in
            let text = element.bytes.prefix { $0 != 0 }
            return (1...Self.maximumLanguageByteCount).contains(text.count)
                ? String(decoding: text, as: UTF8.self) : nil
        }
        isEncrypted = entry.children(ID.contentEncodings).flatMap { $0.children(ID.contentEncoding) }.contains {
            $0.children(ID.contentEncodingType).first?.unsigned == 1 || !$0.children(ID.contentEncryption).isEmpty
        }
    }
}

/// Reads EBML elements (RFC 8794) from bytes.
private struct EBMLReader {
    /// An identifier of at most four bytes and a size of at most eight.
    static let maximumHeaderByteCount = 12
    /// The largest number of children of an element.
    private static let maximumChildCount = 1_024

    struct Header {
        var id: UInt32
        /// `nil` if it is not stated (§6.2).
        var contentByteCount: Int64?
        /// The size of the header itself.
        var byteCount: Int
    }

    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The content as an unsigned integer (§7.2); `nil` if it is longer than eight bytes.
    var unsigned: UInt64? { bytes.count <= 8 ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : nil }

    /// The contents of the children that have an identifier, up to the first damage.
    func children(_ id: UInt32) -> [EBMLReader] {
        var rest = self
        var found: [EBMLReader] = []
        for _ in 0..<Self.maximumChildCount {
            guard let header = rest.readHeader(), let size = header.contentByteCount, size <= rest.bytes.count else {
                break
            }
            if header.id == id { found.append(EBMLReader(rest.bytes.prefix(Int(size)))) }
            rest.bytes = rest.bytes.dropFirst(Int(size))
        }
        return found
    }

    /// Consumes an element's identifier and size; `nil` if there is no whole header.
    mutating func readHeader() -> Header? {
        let count = bytes.count
        guard let first = bytes.first, let id = readNumber(byteCount: first.leadingZeroBitCount + 1, limit: 4),
            let second = bytes.first
        else { return nil }
        let width = second.leadingZeroBitCount + 1
        guard let size = readNumber(byteCount: width, limit: 8) else { return nil }
        let mask = UInt64.max >> UInt64(64 - 7 * width)
        return Header(
            id: UInt32(truncatingIfNeeded: id), contentByteCount: size & mask == mask ? nil : Int64(size & mask),
            byteCount: count - bytes.count)
    }

    private mutating func readNumber(byteCount: Int, limit: Int) -> UInt64? {
        guard byteCount <= limit, bytes.count >= byteCount else { return nil }
        defer { bytes = bytes.dropFirst(byteCount) }
        return bytes.prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
