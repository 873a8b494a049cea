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
        // The length is a range's where a range is asked for; the body is read later.
        var fields: HTTPFields = [
            .contentType: file.contentType, .eTag: file.etag, .acceptRanges: "bytes",
            .cacheControl: "public, max-age=60", .accessControlAllowOrigin: "*",
        ]
        if let known = request.headerFields[.ifNoneMatch], known == "*" || known.contains(file.etag) {
            head = HTTPResponse(status: .notModified, headerFields: fields)
            remaining = 0..<0
            return
        }
        guard let range = ByteRangeRequest(request, etag: file.etag) else {
            fields[.contentLength] = String(media.byteCount)
            head = HTTPResponse(status: .ok, headerFields: fields)
            remaining = 0..<media.byteCount
            return
        }
        guard let resolved = range.resolved(byteCount: media.byteCount) else {
            fields[.contentRange] = "bytes */\(media.byteCount)"
            fields[.contentLength] = "0"
            fields[.cacheControl] = "no-store"
            head = HTTPResponse(status: .rangeNotSatisfiable, headerFields: fields)
            remaining = 0..<0
            return
        }
        fields[.contentRange] = "bytes \(resolved.lowerBound)-\(resolved.upperBound - 1)/\(media.byteCount)"
        fields[.contentLength] = String(resolved.count)
        head = HTTPResponse(status: .partialContent, headerFields: fields)
        remaining = resolved
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
