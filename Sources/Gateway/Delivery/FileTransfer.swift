import HTTPTypes
import NIOCore
import Packaging

/// Media in a file, or a range of it, on its way to one client: sent piece by piece, the next one read when the last one
/// has been written, so that a slow client holds one piece.
struct FileTransfer: Sendable {
    let head: HTTPResponse
    /// Reads what is still to be sent.
    var source: Source
    /// Held until the transfer is over.
    var claim: DeliveryClaim?

    /// Large enough that system calls are not the limit, small enough to stay in a processor's cache between the disk's
    /// pages and the socket, and for a thousand slow clients.
    static let pieceByteCount = 128 << 10
    /// What a transfer may hold: a piece, and the fragments' headers, which are made when it begins.
    static let claimedByteCount = pieceByteCount + (16 << 10)

    enum Source: Sendable {
        case clear(StoredMediaReader)
        case sealed(SealedMediaReader)
    }

    /// A whole file as it is.
    init(_ media: MediaFile, of file: TrackFile, request: HTTPRequest, claim: DeliveryClaim? = nil) {
        let fields: HTTPFields = [
            .contentType: file.contentType, .cacheControl: "public, max-age=60", .accessControlAllowOrigin: "*",
        ]
        let whole = FileRange(offset: 0, byteCount: Int(media.byteCount))
        self.init(
            StoredMedia(file: media, runs: [.file(whole)]), request: request, fields: fields, etag: file.etag,
            claim: claim)
    }

    /// - Parameters:
    ///   - fields: without length.
    ///   - etag: strong, with quotation marks.
    ///   - sealing: encrypts the media; `nil` to send it as it is.
    init(
        _ media: StoredMedia, request: HTTPRequest, fields: HTTPFields, etag: String, sealing: BlockChain? = nil,
        claim: DeliveryClaim? = nil
    ) {
        let byteCount = sealing == nil ? media.byteCount : BlockChain.sealedByteCount(media.byteCount)
        let selected = SelectedRepresentation(
            request: request, fields: fields, etag: etag, byteCount: Int64(byteCount))
        let range = Int(selected.range.lowerBound)..<Int(selected.range.upperBound)
        head = selected.head
        source =
            sealing.map { .sealed(SealedMediaReader(media, range: range, chain: $0)) }
            ?? .clear(StoredMediaReader(media, range: range))
        self.claim = claim
    }

    var remainingByteCount: Int {
        switch source {
        case .clear(let reader): reader.remainingByteCount
        case .sealed(let reader): reader.remainingByteCount
        }
    }

    fileprivate mutating func readPiece(
        _ maximumByteCount: Int, into buffer: inout ByteBuffer, cachedOnly: Bool
    ) throws -> Bool {
        switch source {
        case .clear(var reader):
            defer { source = .clear(reader) }
            return try reader.readPiece(maximumByteCount, into: &buffer, cachedOnly: cachedOnly)
        case .sealed(var reader):
            defer { source = .sealed(reader) }
            return try reader.readPiece(maximumByteCount, into: &buffer, cachedOnly: cachedOnly)
        }
    }

    fileprivate mutating func sendRun(to socket: NIOBSDSocket.Handle) -> MediaSending {
        guard case .clear(var reader) = source else { return .mustBeRead }
        defer { source = .clear(reader) }
        return reader.sendRun(to: socket)
    }
}

/// Reads a transfer's pieces into one buffer, again and again: memory that was just written to a socket is in the
/// processor's cache, and costs no page faults.
///
/// `@unchecked Sendable`: either the event loop or one thread of the pool has it, never both; ``BodySender`` hands it
/// over and waits for it to come back.
final class PieceReader: @unchecked Sendable {
    private var transfer: FileTransfer
    private var buffer: ByteBuffer

    /// - Parameter buffer: of a transfer before, or a new one.
    init(_ transfer: FileTransfer, buffer: ByteBuffer) {
        self.transfer = transfer
        // Whoever sends holds it; a write that has not failed yet may hold the reader for longer.
        self.transfer.claim = nil
        self.buffer = buffer
    }

    var isAtEnd: Bool { transfer.remainingByteCount == 0 }

    /// Reads the next piece into ``piece``; it may be empty although the end has not been reached.
    ///
    /// - Parameters:
    ///   - maximumByteCount: at most ``FileTransfer/pieceByteCount``.
    ///   - cachedOnly: do not wait for the disk.
    /// - Returns: false when `cachedOnly` is set and part of the piece is not in the page cache.
    /// - Throws: ``MediaFileError``
    func readNext(_ maximumByteCount: Int = FileTransfer.pieceByteCount, cachedOnly: Bool) throws -> Bool {
        // Keeps the memory, unless somebody still holds the piece before.
        buffer.clear(minimumCapacity: min(FileTransfer.pieceByteCount, transfer.remainingByteCount))
        return try transfer.readPiece(maximumByteCount, into: &buffer, cachedOnly: cachedOnly)
    }

    /// Sends what comes next from the page cache to a socket.
    func sendRun(to socket: NIOBSDSocket.Handle) -> MediaSending { transfer.sendRun(to: socket) }

    /// What was read last.
    var piece: ByteBuffer { buffer }
}
