import MediaCore

/// The texts of an APE tag (APEv2 specification, Hydrogenaudio), which WavPack, Musepack, TTA and Monkey's Audio have
/// at the end of the file.
struct APETag {
    /// The values of each text, by libav's key.
    private(set) var values: [String: [String]] = [:]

    private static let footerByteCount = 32
    /// The tag of ID3v1, which may follow.
    private static let id3v1ByteCount = 128
    /// Limit on the tag, with a cover.
    private static let maximumByteCount = 16 << 20
    private static let maximumKeyByteCount = 255

    /// libav's keys by the names of items in lower case.
    private static let keys = [
        "title": "title", "artist": "artist", "album artist": "album_artist", "albumartist": "album_artist",
        "album": "album", "composer": "composer", "genre": "genre", "track": "track", "year": "date",
        "comment": "comment",
    ]

    /// Reads a file's tag, as far as it is well-formed; `nil` if the file has none.
    ///
    /// - Parameters:
    ///   - file: The whole file.
    ///   - legacy: The encoding of texts that are not Unicode, as in the first version of the tag.
    init?(in file: TagBytes, legacy: LegacyEncoding) {
        guard let end = Self.end(in: file), let footer = file.bytes(end - Self.footerByteCount, Self.footerByteCount)
        else { return nil }
        let (byteCount, count) = (footer[12..<16].littleEndian, footer[16..<20].littleEndian)
        guard (Self.footerByteCount...Self.maximumByteCount).contains(byteCount), byteCount <= end,
            let items = file.part(end - byteCount, byteCount - Self.footerByteCount)
        else { return nil }
        var offset = 0
        for _ in 0..<min(count, SourceTags.maximumTextCount) {
            guard let header = items.bytes(offset, 8) else { return }
            let (valueByteCount, flags) = (header[0..<4].littleEndian, header[4..<8].littleEndian)
            offset += 8
            let bytes = items.bytes(offset, min(Self.maximumKeyByteCount + 1, items.byteCount - offset)) ?? []
            guard let keyByteCount = bytes.firstIndex(of: 0) else { return }
            offset += keyByteCount + 1
            // Two bits are the kind of the value; zero is text.
            if flags >> 1 & 3 == 0, valueByteCount <= SourceTags.maximumTextByteCount,
                let key = Self.keys[String(decoding: bytes[..<keyByteCount], as: UTF8.self).lowercased()],
                let value = items.bytes(offset, valueByteCount)
            {
                values[key, default: []] += SourceTags.values(value, legacy: legacy)
            }
            guard valueByteCount <= items.byteCount - offset else { return }
            offset += valueByteCount
        }
    }

    /// The offset of the end of the tag.
    private static func end(in file: TagBytes) -> Int? {
        [0, id3v1ByteCount].map { file.byteCount - $0 }.first { end in
            file.bytes(end - footerByteCount, 8)?.elementsEqual("APETAGEX".utf8) == true
        }
    }
}
