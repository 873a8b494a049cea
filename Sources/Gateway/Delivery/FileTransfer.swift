import HTTPTypes
import NIOCore
import Packaging

/// A file, or a range of it, on its way to one client: sent piece by piece, the next one read when the last one has
/// been written, so that a slow client holds one piece.
struct FileTransfer: Sendable {
    let head: HTTPResponse
    let file: MediaFile
    /// What is still to be sent.
    var remaining: Range<Int64>

    /// Large enough that the disk is not the limit, small enough for thousands of listeners.
    static let pieceByteCount = 256 << 10

    init(file: TrackFile, request: HTTPRequest) throws {
        let media = try MediaFile(path: file.path)
        self.file = media
        let fields: HTTPFields = [
            .contentType: file.contentType, .cacheControl: "public, max-age=60", .accessControlAllowOrigin: "*",
        ]
        let selected = SelectedRepresentation(
            request: request, fields: fields, etag: file.etag, byteCount: media.byteCount)
        head = selected.head
        remaining = selected.range
    }

    /// Reads the next piece and moves on; `nil` at the end. Waits for the disk.
    mutating func readNextPiece() throws -> ByteBuffer? {
        guard !remaining.isEmpty else { return nil }
        let count = Int(min(Int64(Self.pieceByteCount), Int64(remaining.count)))
        let piece = try file.read(at: remaining.lowerBound, count: count)
        remaining = (remaining.lowerBound + Int64(count))..<remaining.upperBound
        return piece
    }
}
