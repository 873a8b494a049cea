import Glibc
import ISOBMFF
import MediaCore
import NIOCore

extension StoredSegment {
    /// The bytes to read at once when a fragment's header is looked for: most headers fit.
    private static let headerReadByteCount = 4 << 10
    /// The largest header of a fragment with its events; the archive's own are a few kilobytes.
    private static let maximumHeaderByteCount = 4 << 20

    /// Returns the segment, byte for byte as it was in memory, without reading its media.
    ///
    /// - Parameter cachedOnly: Whether to fail instead of waiting for the disk.
    /// - Returns: `nil` when `cachedOnly` is set and a fragment's header is not in the page cache.
    /// - Throws: ``MediaFileError``
    package func media(cachedOnly: Bool) throws(MediaFileError) -> StoredMedia? {
        var runs: [StoredMedia.Run] = []
        var offset = place.offset
        let end = place.offset + Int64(place.byteCount)
        var sequenceNumber = place.firstSequenceNumber
        while offset < end {
            guard let fragment = try fragment(at: offset, before: end, cachedOnly: cachedOnly) else { return nil }
            var header = fragment.header
            guard
                MovieFragmentFields.moveHeader(
                    &header, toTrack: MediaInitializationSection.trackID,
                    shiftedBy: Int64.zero.subtractingSaturating(place.decodeTimeShift), sequenceNumber: sequenceNumber)
            else { throw damaged }
            sequenceNumber &+= 1
            runs.append(.bytes(header))
            runs.append(.file(fragment.media))
            offset = fragment.media.endOffset
        }
        return StoredMedia(file: movie.file, runs: runs)
    }

    private var damaged: MediaFileError {
        MediaFileError(path: movie.file.path, operation: "find a segment in", errno: EILSEQ)
    }

    /// Returns a fragment's events and `moof`, and the range of the `mdat` with its own header.
    private func fragment(
        at start: Int64, before end: Int64, cachedOnly: Bool
    ) throws(MediaFileError) -> (header: ByteBuffer, media: FileRange)? {
        var bytes = ByteBuffer()
        var wanted = Self.headerReadByteCount
        while true {
            let count = Int(min(Int64(wanted), end - start))
            guard count > bytes.readableBytes else { throw damaged }
            let missing = FileRange(offset: start + Int64(bytes.readableBytes), byteCount: count - bytes.readableBytes)
            guard try movie.file.appendRanges([missing], to: &bytes, cachedOnly: cachedOnly) else { return nil }
            switch Self.headerByteCount(in: bytes) {
            case .complete(let headerByteCount, let mediaByteCount):
                let media = FileRange(offset: start + Int64(headerByteCount), byteCount: mediaByteCount)
                guard media.endOffset <= end, let header = bytes.readSlice(length: headerByteCount) else {
                    throw damaged
                }
                // Copied, so that bytes read beyond the header are released.
                return (ByteBuffer(bytes: header.readableBytesView), media)
            case .needs(let byteCount):
                guard byteCount <= Self.maximumHeaderByteCount else { throw damaged }
                wanted = byteCount
            case .damaged: throw damaged
            }
        }
    }

    private enum HeaderSize {
        case complete(headerByteCount: Int, mediaByteCount: Int)
        case needs(byteCount: Int)
        case damaged
    }

    private static func headerByteCount(in bytes: ByteBuffer) -> HeaderSize {
        var offset = 0
        while true {
            guard let size = bytes.getInteger(at: bytes.readerIndex + offset, as: UInt32.self),
                let type = bytes.getInteger(at: bytes.readerIndex + offset + 4, as: UInt32.self)
            else { return .needs(byteCount: offset + 8) }
            guard size >= 8 else { return .damaged }
            switch FourCC(rawValue: type) {
            case "mdat": return .complete(headerByteCount: offset, mediaByteCount: Int(size))
            case "moof", "emsg": offset += Int(size)
            default: return .damaged
            }
            guard offset <= maximumHeaderByteCount else { return .damaged }
        }
    }
}
