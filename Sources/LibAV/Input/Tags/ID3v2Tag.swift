import MediaCore

/// The texts of an ID3v2 tag (id3v2-00, id3v2.3.0, id3v2.4.0-structure and -frames).
///
/// An encoding byte that says ISO-8859-1 is not believed: many writers store the encoding of their machine instead.
struct ID3v2Tag {
    /// The values of each text, by libav's key.
    private(set) var values: [String: [String]] = [:]
    private let version: UInt8
    private let isUnsynchronised: Bool
    private let legacy: LegacyEncoding
    /// The byte order of the last text that has a byte order mark; other texts of the tag probably have the same.
    private var byteOrder = TextEncoding.utf16LittleEndian

    private static let headerByteCount = 10
    /// Limit on a tag that has to be read as a whole: a cover and some texts.
    private static let maximumUnsynchronisedByteCount = 16 << 20
    /// Limit on the chunks of a RIFF or AIFF file that may precede its tag.
    private static let maximumChunkCount = 1_000

    /// libav's keys by the names of frames, of ID3v2.2 first.
    private static let keys = [
        "TT2": "title", "TP1": "artist", "TP2": "album_artist", "TAL": "album", "TCM": "composer", "TCO": "genre",
        "TRK": "track", "TYE": "date", "COM": "comment",
        "TIT2": "title", "TPE1": "artist", "TPE2": "album_artist", "TALB": "album", "TCOM": "composer",
        "TCON": "genre", "TRCK": "track", "TYER": "date", "TDRC": "date", "COMM": "comment",
    ]

    /// Reads a file's tag, as far as it is well-formed; `nil` if the file has none.
    ///
    /// - Parameters:
    ///   - file: The whole file: the tag is at its beginning, in a chunk of a WAVE or AIFF file, or where a DSF file
    ///     says.
    ///   - legacy: The encoding of texts that are not Unicode.
    init?(in file: TagBytes, legacy: LegacyEncoding) {
        guard let start = Self.offset(in: file), let header = file.bytes(start, Self.headerByteCount),
            header.starts(with: "ID3".utf8), (2...4).contains(header[3])
        else { return nil }
        (version, self.legacy) = (header[3], legacy)
        let flags = header[5]
        isUnsynchronised = flags & 0x80 != 0
        // ID3v2.2 has a compression there, but no scheme for it.
        guard version > 2 || flags & 0x40 == 0,
            let frames = Self.frames(
                of: file, at: start + Self.headerByteCount, byteCount: Self.syncsafe(header[6...]),
                isUnsynchronised: isUnsynchronised && version < 4)
        else { return nil }
        var offset = 0
        if flags & 0x40 != 0, let size = frames.bytes(0, 4) {
            offset = version == 4 ? Self.syncsafe(size) : 4 + size.bigEndian
        }
        readFrames(frames, from: offset)
    }

    // MARK: Place

    private static func offset(in file: TagBytes) -> Int? {
        guard let beginning = file.bytes(0, 12) else { return nil }
        let form = beginning[8...]
        switch String(decoding: beginning.prefix(4), as: UTF8.self) {
        case "RIFF" where form.elementsEqual("WAVE".utf8):
            return chunk(in: file) { $0.littleEndian }
        case "FORM" where form.elementsEqual("AIFF".utf8) || form.elementsEqual("AIFC".utf8):
            return chunk(in: file) { $0.bigEndian }
        // Sony DSF File Format Specification 1.01: the pointer to metadata; zero if there is none.
        case "DSD ": return file.bytes(20, 8).map(\.littleEndian).flatMap { $0 > 0 ? $0 : nil }
        default: return beginning.starts(with: "ID3".utf8) ? 0 : nil
        }
    }

    /// Finds the chunk with the tag, whose name has small letters in WAVE files and capital ones in AIFF files.
    private static func chunk(in file: TagBytes, size: ([UInt8]) -> Int) -> Int? {
        var offset = 12
        for _ in 0..<maximumChunkCount {
            guard let header = file.bytes(offset, 8) else { return nil }
            let name = String(decoding: header.prefix(4), as: UTF8.self)
            if name.lowercased() == "id3 " { return offset + 8 }
            let byteCount = size(Array(header[4...]))
            offset += 8 + byteCount + byteCount % 2
        }
        return nil
    }

    private static func frames(
        of file: TagBytes, at offset: Int, byteCount: Int, isUnsynchronised: Bool
    ) -> TagBytes? {
        guard isUnsynchronised else { return file.part(offset, byteCount) }
        guard byteCount <= maximumUnsynchronisedByteCount, let bytes = file.bytes(offset, byteCount) else { return nil }
        return TagBytes(synchronised(bytes))
    }

    /// Undoes the unsynchronisation scheme (id3v2.3.0 §5): a zero after 0xFF is not part of the tag.
    private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var last: UInt8 = 0
        for byte in bytes {
            if !(last == 0xFF && byte == 0) { result.append(byte) }
            last = byte
        }
        return result
    }

    /// A number of four bytes with seven bits each.
    private static func syncsafe(_ bytes: some Collection<UInt8>) -> Int {
        bytes.prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    // MARK: Frames

    private mutating func readFrames(_ frames: TagBytes, from start: Int) {
        var offset = start
        let headerByteCount = version == 2 ? 6 : 10
        for _ in 0..<SourceTags.maximumTextCount {
            guard let header = frames.bytes(offset, headerByteCount), header[0] != 0 else { return }
            let byteCount =
                switch version {
                case 2: header[3..<6].bigEndian
                case 3: header[4..<8].bigEndian
                default: Self.syncsafe(header[4..<8])
                }
            offset += headerByteCount
            guard byteCount > 0, byteCount <= frames.byteCount - offset else { return }
            let name = String(decoding: header.prefix(version == 2 ? 3 : 4), as: UTF8.self)
            if let key = Self.keys[name], byteCount <= SourceTags.maximumTextByteCount,
                let bytes = frames.bytes(offset, byteCount), let content = content(bytes, flags: header.dropFirst(9))
            {
                values[key, default: []] += texts(content, of: key)
            }
            offset += byteCount
        }
    }

    /// The content of a frame without what its flags put before it; `nil` if it is compressed or encrypted.
    private func content(_ bytes: [UInt8], flags: ArraySlice<UInt8>) -> [UInt8]? {
        guard let flags = flags.first else { return bytes }
        guard version == 4 else {
            guard flags & 0xC0 == 0 else { return nil }
            return Array(bytes.dropFirst(flags & 0x20 != 0 ? 1 : 0))
        }
        guard flags & 0x0C == 0 else { return nil }
        let content = bytes.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0))
        return flags & 0x02 != 0 || isUnsynchronised ? Self.synchronised(Array(content)) : Array(content)
    }

    /// The values of a text frame, or of a comment without a description.
    private mutating func texts(_ content: [UInt8], of key: String) -> [String] {
        guard let encoding = content.first else { return [] }
        guard key == "comment" else {
            let texts = strings(content.dropFirst(), encoding)
            switch key {
            case "genre": return texts.flatMap(ID3Genre.names)
            case "artist" where version < 4, "composer" where version < 4: return texts.flatMap(Self.withoutSlashes)
            default: return texts
            }
        }
        // A language of three letters and the description precede it.
        let texts = strings(content.dropFirst(4), encoding)
        return texts.first?.isEmpty == true ? Array(texts.dropFirst().prefix(1)) : []
    }

    /// Decodes strings that a zero separates.
    private mutating func strings(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [String] {
        switch encoding {
        case 1, 2: return wideStrings(bytes, isBigEndian: encoding == 2)
        // UTF-8, or what calls itself ISO-8859-1.
        default: return bytes.split(separator: 0, omittingEmptySubsequences: false).map { legacy.text($0) }
        }
    }

    /// Decodes strings of UTF-16; a byte order mark should precede each of them.
    private mutating func wideStrings(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [String] {
        var strings: [[UInt8]] = [[]]
        var rest = bytes
        while rest.count >= 2 {
            let unit = rest.prefix(2)
            rest = rest.dropFirst(2)
            if unit.allSatisfy({ $0 == 0 }) { strings.append([]) } else { strings[strings.count - 1] += unit }
        }
        return strings.map { string in
            let found = TextEncoding(of: string)
            let isWide = found == .utf16LittleEndian || found == .utf16BigEndian
            if isBigEndian { return TextEncoding.utf16BigEndian.text(string) }
            if isWide { byteOrder = found }
            return byteOrder.text(string)
        }
    }

    /// The performers of a text before ID3v2.4, in which a slash separates them (id3v2.3.0 §4.2.1, TPE1 and TCOM).
    ///
    /// One beside a part of one or two characters belongs to a name, as in AC/DC, M/A/R/R/S and K/DA.
    static func withoutSlashes(_ text: String) -> [String] {
        let parts = text.split(separator: "/").map { String($0).withoutSurroundingBlanks }
        return parts.count > 1 && parts.allSatisfy { $0.count > 2 } ? parts : [text]
    }
}
