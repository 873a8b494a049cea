package import NIOCore

extension PackagedTitle {
    /// A segment, read from the file in one go.
    ///
    /// - Parameters:
    ///   - index: one of the rendition's segments; `nil` is returned for any other.
    ///   - cachedOnly: do not wait for the disk: for use on an event loop. ``SegmentRead/needsDisk`` then asks to be
    ///     called again where waiting is allowed.
    /// - Throws: ``MediaFileError``
    package func segment(
        _ index: Int, of rendition: PackagedRendition, allocator: ByteBufferAllocator, cachedOnly: Bool
    ) throws(MediaFileError) -> SegmentRead? {
        guard rendition.segments.indices.contains(index),
            rendition.segments[index].byteCount <= PackagedRendition.maximumSegmentByteCount
        else { return nil }
        var (buffer, ranges) = rendition.segmentHeader(index, allocator: allocator, hasRoomForMedia: true)
        guard try file(of: rendition).appendRanges(ranges, to: &buffer, cachedOnly: cachedOnly) else {
            return .needsDisk
        }
        return .complete(buffer)
    }
}

extension PackagedTitle {
    /// A segment as it lies in the file, with its header; nothing is read.
    ///
    /// - Parameter index: one of the rendition's segments; `nil` is returned for any other.
    package func storedSegment(_ index: Int, of rendition: PackagedRendition) -> StoredMedia? {
        guard rendition.segments.indices.contains(index),
            rendition.segments[index].byteCount <= PackagedRendition.maximumSegmentByteCount
        else { return nil }
        let (header, media) = rendition.segmentHeader(index)
        return StoredMedia(header: header, media: media, of: file(of: rendition))
    }
}

/// What came of reading a segment.
package enum SegmentRead: Sendable {
    case complete(ByteBuffer)
    /// Not all of it is in the page cache.
    case needsDisk
}
