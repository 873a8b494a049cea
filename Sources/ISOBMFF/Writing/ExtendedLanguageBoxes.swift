import MediaCore
package import NIOCore

/// Adds `elng` boxes (ISO/IEC 14496-12 §8.4.6) to a movie's `moov`: some muxers write only the three letters of `mdhd`,
/// which cannot hold a script or a region.
package enum ExtendedLanguageBoxes {
    /// Limit on the boxes before `moov`.
    private static let maximumBoxCount = 64
    /// Limit on the size of a `moov` to rewrite.
    private static let maximumByteCount: Int64 = 1 << 30

    /// Finds the `moov` box of a file.
    ///
    /// - Returns: its place; `nil` if boxes follow it, or there is none.
    /// - Throws: ``ISOBMFFError`` if the file's boxes cannot be read; whatever `file` throws.
    package static func lastMovie(in file: some RandomAccessData) throws -> Range<Int64>? {
        var offset: Int64 = 0
        for _ in 0..<maximumBoxCount where offset < file.byteCount {
            let header = try MovieIndex.readHeader(from: file, at: offset)
            if header.type == "moov" {
                let isLast = header.endOffset == file.byteCount && header.byteCount <= maximumByteCount
                return isLast ? header.offset..<header.endOffset : nil
            }
            offset = header.endOffset
        }
        return nil
    }

    /// Adds a language to tracks.
    ///
    /// - Parameters:
    ///   - languages: the language tags of ASCII characters, keyed by the position of their track among the tracks.
    ///   - movie: the whole `moov` box, after which the file has no media: its size changes.
    /// - Returns: the box with the languages.
    /// - Throws: ``ISOBMFFError`` if the box cannot be read.
    package static func adding(_ languages: [Int: String], to movie: ByteBuffer) throws -> ByteBuffer {
        var bytes = Array(movie.readableBytesView)
        let root = try box(of: bytes)
        let tracks = try root.children().filter { $0.type == "trak" }
        // From the last one on, so that the offsets of the others stay right.
        for (position, track) in tracks.enumerated().reversed() {
            guard let language = languages[position], !language.isEmpty,
                language.utf8.allSatisfy({ $0 < 0x80 && $0 > 0x20 })
            else { continue }
            let media = try track.children().required("mdia", in: track)
            guard try media.children().first("elng") == nil else { continue }
            var added = ByteBuffer()
            added.writeFullBox("elng") { $0.writeString(language + "\0") }
            bytes.insert(contentsOf: added.readableBytesView, at: Int(media.header.endOffset))
            for enclosing in [root, track, media] {
                try grow(enclosing, by: added.readableBytes, in: &bytes)
            }
        }
        return ByteBuffer(bytes: bytes)
    }

    private static func box(of bytes: [UInt8]) throws -> Box {
        let buffer = ByteBuffer(bytes: bytes)
        let header = try BoxHeader(parsing: buffer, at: 0, enclosedBy: Int64(bytes.count))
        guard header.headerByteCount == 8, header.byteCount == Int64(bytes.count) else {
            throw ISOBMFFError(.unsupported, box: header.type, at: 0, "the box has no size of 32 bits")
        }
        let payload = buffer.getSlice(at: header.headerByteCount, length: bytes.count - header.headerByteCount)
        return Box(header: header, payload: payload ?? ByteBuffer())
    }

    /// Changes the size of a box, which has to have one of 32 bits.
    private static func grow(_ box: Box, by byteCount: Int, in bytes: inout [UInt8]) throws(ISOBMFFError) {
        let start = Int(box.header.offset)
        guard box.header.headerByteCount == 8, start >= 0, start + 4 <= bytes.count else {
            throw box.invalid("has no size of 32 bits")
        }
        let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + byteCount
        guard size <= UInt32.max else { throw box.invalid("is too large") }
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index)) }
    }
}
