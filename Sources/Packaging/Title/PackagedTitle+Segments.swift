package import NIOCore

extension PackagedTitle {
    /// Reads a segment from the file in one go.
    ///
    /// - Parameters:
    ///   - index: The segment's index; the result is `nil` if the rendition has no such segment.
    ///   - rendition: A rendition of this title.
    ///   - allocator: Allocates the buffers of media.
    ///   - cachedOnly: Whether to return ``SegmentRead/needsDisk`` instead of waiting for the disk, for use on an event
    ///     loop. The caller then calls again where waiting is allowed.
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
    /// Returns a segment as stored in the file, with its header, without reading anything.
    ///
    /// - Parameters:
    ///   - index: The segment's index; the result is `nil` if the rendition has no such segment.
    ///   - rendition: A rendition of this title.
    package func storedSegment(_ index: Int, of rendition: PackagedRendition) -> StoredMedia? {
        guard rendition.segments.indices.contains(index),
            rendition.segments[index].byteCount <= PackagedRendition.maximumSegmentByteCount
        else { return nil }
        let (header, media) = rendition.segmentHeader(index)
        return StoredMedia(header: header, media: media, of: file(of: rendition))
    }
}
