import NIOCore
import Packaging

/// A live segment in an in-memory file, with the head of the response to a plain request right before it: both go out
/// by one call.
struct SharedSegment {
    let file: MediaFile
    let media: StoredMedia
    /// The head, encoded for HTTP/1.1, and the media.
    let response: StoredMedia

    /// - Parameters:
    ///   - file: the file.
    ///   - offset: the place of the head.
    ///   - headByteCount: the size of the head.
    ///   - byteCount: the size of the segment.
    init(_ file: MediaFile, at offset: Int64, headByteCount: Int, byteCount: Int) {
        func stored(_ offset: Int64, _ byteCount: Int) -> StoredMedia {
            StoredMedia(file: file, runs: [.file(FileRange(offset: offset, byteCount: byteCount))])
        }
        self.file = file
        media = stored(offset + Int64(headByteCount), byteCount)
        response = stored(offset, headByteCount + byteCount)
    }
}
