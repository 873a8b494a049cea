package import NIOCore

/// Media that lies in a file, in runs, with bytes that were made for it in front of and between them.
package struct StoredMedia: Sendable {
    package enum Run: Sendable {
        /// Made for this resource, such as a fragment's header.
        case bytes(ByteBuffer)
        case file(FileRange)

        package var byteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.readableBytes
            case .file(let range): range.byteCount
            }
        }
    }

    package let file: MediaFile
    package let runs: [Run]

    package init(file: MediaFile, runs: [Run]) {
        self.file = file
        self.runs = runs
    }

    init(header: ByteBuffer, media: [FileRange], of file: MediaFile) {
        self.init(file: file, runs: [.bytes(header)] + media.map { .file($0) })
    }

    package var byteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }
}

/// Reads stored media from its start to its end, a piece at a time.
package struct StoredMediaReader: Sendable {
    package let media: StoredMedia
    /// The run that is read next.
    private var index = 0
    /// Bytes of that run that have been read.
    private var position = 0
    package private(set) var remainingByteCount: Int

    /// - Parameter range: the part to read, which lies within the media.
    package init(_ media: StoredMedia, range: Range<Int>) {
        self.media = media
        remainingByteCount = range.upperBound
        advance(by: range.lowerBound)
    }

    /// Appends the next piece and moves on.
    ///
    /// - Parameters:
    ///   - maximumByteCount: the size of every piece but the last one.
    ///   - cachedOnly: do not wait for the disk.
    /// - Returns: false when `cachedOnly` is set and part of the piece is not in the page cache; reader and buffer are
    ///   then as before.
    package mutating func readPiece(
        _ maximumByteCount: Int, into buffer: inout ByteBuffer, cachedOnly: Bool
    ) throws(MediaFileError) -> Bool {
        let (start, writerIndex) = (self, buffer.writerIndex)
        var missing = min(maximumByteCount, remainingByteCount)
        while missing > 0 {
            switch next(missing) {
            case .bytes(let bytes):
                buffer.writeImmutableBuffer(bytes)
                missing -= bytes.readableBytes
                advance(by: bytes.readableBytes)
            case .file:
                let ranges = nextFileRanges(missing)
                let count = ranges.reduce(0) { $0 + $1.byteCount }
                guard try media.file.appendRanges(ranges, to: &buffer, cachedOnly: cachedOnly) else {
                    self = start
                    buffer.moveWriterIndex(to: writerIndex)
                    return false
                }
                missing -= count
                advance(by: count)
            case nil: return true
            }
        }
        return true
    }

    /// The next run or part of a run, without moving on; `nil` at the end.
    package func next(_ maximumByteCount: Int) -> StoredMedia.Run? {
        let count = min(maximumByteCount, remainingByteCount)
        guard count > 0, index < media.runs.count else { return nil }
        switch media.runs[index] {
        case .bytes(let bytes):
            let slice = bytes.getSlice(
                at: bytes.readerIndex + position, length: min(count, bytes.readableBytes - position))
            return slice.map { .bytes($0) }
        case .file(let range):
            return .file(
                FileRange(offset: range.offset + Int64(position), byteCount: min(count, range.byteCount - position)))
        }
    }

    /// The next ranges of the file up to other bytes, or to a number of bytes.
    private func nextFileRanges(_ maximumByteCount: Int) -> [FileRange] {
        var rest = self
        var ranges: [FileRange] = []
        var missing = maximumByteCount
        while missing > 0, case .file(let range)? = rest.next(missing) {
            ranges.append(range)
            missing -= range.byteCount
            rest.advance(by: range.byteCount)
        }
        return ranges
    }

    /// Moves on without reading.
    package mutating func advance(by byteCount: Int) {
        remainingByteCount -= byteCount
        position += byteCount
        while index < media.runs.count, position >= media.runs[index].byteCount {
            position -= media.runs[index].byteCount
            index += 1
        }
    }
}
