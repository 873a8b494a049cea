import NIOCore
import Packaging

/// A live segment in an in-memory file, with the head of the response to a plain request right before it: both go out
/// by one call.
struct SharedSegment {
    let place: SegmentBlocks.Place
    let media: StoredMedia
    /// The head, encoded for HTTP/1.1, and the media.
    let response: StoredMedia

    /// The file, which may hold other segments as well.
    var file: MediaFile { place.file }

    /// - Parameters:
    ///   - place: the place of the head.
    ///   - headByteCount: the size of the head.
    ///   - byteCount: the size of the segment.
    init(at place: SegmentBlocks.Place, headByteCount: Int, byteCount: Int) {
        func stored(_ offset: Int64, _ byteCount: Int) -> StoredMedia {
            StoredMedia(file: place.file, runs: [.file(FileRange(offset: offset, byteCount: byteCount))])
        }
        self.place = place
        media = stored(place.offset + Int64(headByteCount), byteCount)
        response = stored(place.offset, headByteCount + byteCount)
    }
}
