import Glibc

/// Finds the texts of an ID3v2 tag whose encoding byte says ISO-8859-1 (id3v2.4.0-structure §4). Many writers store the
/// encoding of their machine instead, and libav decodes each byte as a Latin-1 character.
enum UndeclaredID3Texts {
    /// The largest number of frames to read; an ordinary tag has a dozen and a cover.
    private static let maximumFrameCount = 256
    private static let latin1: UInt8 = 0

    /// Reads the tag of a file.
    ///
    /// - Returns: The bytes of each text, keyed by libav's decoding of it; empty if there is no tag, or all of it is
    ///   ASCII or Unicode.
    static func read(path: String) -> [String: [UInt8]] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [:] }
        defer { close(descriptor) }
        return read { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
        }
    }

    /// Reads a tag.
    ///
    /// - Parameter bytes: Returns `count` bytes at `offset`; `nil` if there are not as many.
    static func read(_ bytes: (_ offset: Int, _ count: Int) -> [UInt8]?) -> [String: [UInt8]] {
        guard let header = bytes(0, 10), header.starts(with: "ID3".utf8), (2...4).contains(header[3]),
            // Unsynchronised tags and tags with an extended header stay as libav reads them.
            header[5] & 0xC0 == 0
        else { return [:] }
        let version = header[3]
        let end = 10 + size(header[6...], bitsPerByte: 7)
        let headerByteCount = version == 2 ? 6 : 10
        var texts: [String: [UInt8]] = [:]
        var offset = 10
        for _ in 0..<maximumFrameCount where offset + headerByteCount < end {
            guard let frame = bytes(offset, headerByteCount), frame[0] != 0 else { break }
            let sizeField = version == 2 ? frame[3..<6] : frame[4..<8]
            let byteCount = size(sizeField, bitsPerByte: version == 4 ? 7 : 8)
            offset += headerByteCount
            guard byteCount > 0, byteCount <= end - offset else { break }
            if frame[0] == UInt8(ascii: "T"), byteCount <= InputFile.maximumTagByteCount,
                let content = bytes(offset, byteCount), content[0] == latin1
            {
                let text = Array(content.dropFirst().prefix { $0 != 0 })
                if text.contains(where: { $0 >= 0x80 }) {
                    texts[String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))] = text
                }
            }
            offset += byteCount
        }
        return texts
    }

    private static func size(_ bytes: ArraySlice<UInt8>, bitsPerByte: Int) -> Int {
        bytes.prefix(4).reduce(0) { $0 << bitsPerByte | Int($1) }
    }
}
