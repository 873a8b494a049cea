import JSONDocument

/// The header of a decrypted copy: the names and lengths of the files in it, one after the other.
///
/// The copy is 8 bytes `ANTCOPY1`, the length of the JSON as 8 bytes in network order, the JSON, and the files in its
/// order without gaps.
package struct CopyIndex: Sendable, Hashable {
    /// A file of the copy.
    package struct File: Sendable, Hashable {
        /// The path relative to the multivariant playlist, such as `video/0.m4s`.
        package var path: String
        package var byteCount: Int64

        package init(path: String, byteCount: Int64) { (self.path, self.byteCount) = (path, byteCount) }
    }

    /// The file that a player opens first.
    package static let entryPath = "playlist.m3u8"
    package static let headerByteCount = 16
    /// Limit of the JSON, which has room for a day of one-second segments in several renditions.
    package static let maximumByteCount = 16 << 20
    /// Limit of the number of files, for the same reason.
    package static let maximumFileCount = 400_000
    private static let magic = Array("ANTCOPY1".utf8)

    package var files: [File]

    package init(files: [File]) { self.files = files }

    /// The reasons why bytes are not an index.
    package enum ParsingError: Error, Hashable {
        case wrongHeader
        case wrongIndex
    }

    /// The header and the JSON.
    package func rendered() -> [UInt8] {
        let files = files.map { JSONText.array([.string($0.path), .integer(Int($0.byteCount))]) }
        let json = Array(JSONText.object([("files", .array(files))]).rendered.utf8)
        let length = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(json.count) >> UInt64(56 - 8 * $0)) }
        return Self.magic + length + json
    }

    /// The length of the JSON that follows a header.
    ///
    /// - Throws: ``ParsingError``
    package static func byteCount(header: [UInt8]) throws(ParsingError) -> Int {
        guard header.count == headerByteCount, header.starts(with: magic) else { throw .wrongHeader }
        let count = header[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count <= UInt64(maximumByteCount) else { throw .wrongHeader }
        return Int(count)
    }

    /// Parses the JSON.
    ///
    /// - Throws: ``ParsingError``
    package init(parsing json: [UInt8]) throws(ParsingError) {
        guard let node = try? JSONParser.parse(json), let elements = node["files"]?.elements,
            elements.count <= Self.maximumFileCount
        else { throw .wrongIndex }
        files = []
        files.reserveCapacity(elements.count)
        for element in elements {
            guard let pair = element.elements, pair.count == 2, let path = pair[0].string, let count = pair[1].integer,
                (0...Int(CopyCipher.maximumByteCount)).contains(count)
            else { throw .wrongIndex }
            files.append(File(path: path, byteCount: Int64(count)))
        }
    }

    /// The ranges of the files in the copy, keyed by path.
    ///
    /// - Parameter indexByteCount: the length of the JSON.
    /// - Throws: ``ParsingError`` if the copy would be larger than a copy can be.
    package func ranges(indexByteCount: Int) throws(ParsingError) -> [String: Range<Int64>] {
        var ranges: [String: Range<Int64>] = [:]
        var offset = Int64(Self.headerByteCount + indexByteCount)
        for file in files {
            let end = offset + file.byteCount
            guard end <= CopyCipher.maximumByteCount else { throw .wrongIndex }
            ranges[file.path] = offset..<end
            offset = end
        }
        return ranges
    }
}
