package import HTTPTypes
import NIOCore
package import Packaging

/// The transfer of media in a file, or of a range of it, to one client. It is sent in pieces, and the next piece is
/// read when the previous one has been written, so that a slow client holds one piece.
package struct FileTransfer: Sendable {
    package internal(set) var head: HTTPResponse {
        // It was encoded with the other head.
        didSet { encoded = nil }
    }
    /// Head and media, encoded for HTTP/1.1, if they lie together in the file; otherwise `nil`.
    var encoded: StoredMedia?
    /// Reads the rest of the media.
    var source: Source
    /// The claim on the delivery budget, held until the transfer is over; `nil` without a budget.
    var claim: DeliveryClaim?
    /// The live segment whose memory the transfer holds, if it is one.
    var holding: LiveHolding?

    /// Size of a piece: large enough that system calls are not the bottleneck, small enough to stay in a processor's
    /// cache between page cache and socket, and small enough for a thousand slow clients.
    static let pieceByteCount = 128 << 10
    /// Memory of a transfer: a piece, and the fragments' headers, which are made when it starts.
    static let claimedByteCount = pieceByteCount + (16 << 10)

    enum Source: Sendable {
        case clear(StoredMediaReader)
        case sealed(SealedMediaReader)
    }

    /// Transfers media outside of the delivery budget.
    ///
    /// - Parameters:
    ///   - media: the whole media.
    ///   - request: the request, whose Range and conditions apply.
    ///   - fields: the header fields without Content-Length.
    ///   - etag: the strong entity tag, with quotation marks.
    package init(_ media: StoredMedia, request: HTTPRequest, fields: HTTPFields, etag: String) {
        self.init(media, request: request, fields: fields, etag: etag, claim: nil)
    }

    /// Transfers a whole file unchanged.
    init(_ file: TrackFile, request: HTTPRequest, claim: DeliveryClaim? = nil) {
        let fields: HTTPFields = [
            .contentType: file.contentType, .cacheControl: "public, max-age=\(CachePolicy.sharedSeconds)",
        ]
        let whole = FileRange(offset: 0, byteCount: Int(file.media.byteCount))
        self.init(
            StoredMedia(file: file.media, runs: [.file(whole)]), request: request, fields: fields, etag: file.etag,
            claim: claim)
    }

    /// - Parameters:
    ///   - fields: the header fields without Content-Length.
    ///   - etag: the strong entity tag, with quotation marks.
    ///   - sealing: encrypts the media; `nil` sends it unchanged.
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

    /// Reads ``encoded`` instead of the media alone.
    ///
    /// - Returns: false, without any effect, if there is none.
    mutating func includeEncodedHead() -> Bool {
        guard let encoded else { return false }
        source = .clear(StoredMediaReader(encoded, range: 0..<encoded.byteCount))
        return true
    }

    package var remainingByteCount: Int {
        switch source {
        case .clear(let reader): reader.remainingByteCount
        case .sealed(let reader): reader.remainingByteCount
        }
    }

    /// Has what ``readPiece(_:into:cachedOnly:)`` will read brought to this machine if the file is on another one.
    ///
    /// - Parameters:
    ///   - maximumByteCount: the size of the piece in bytes.
    ///   - completion: called once, on any thread, unless the result is false.
    /// - Returns: false if nothing has to be brought.
    func fetchPiece(
        _ maximumByteCount: Int, _ completion: @escaping FetchCompletion
    ) -> Bool {
        switch source {
        case .clear(let reader): reader.fetchPiece(maximumByteCount, completion)
        case .sealed(let reader): reader.fetchPiece(maximumByteCount, completion)
        }
    }

    mutating func readPiece(
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

    mutating func sendRun(to socket: NIOBSDSocket.Handle) -> MediaSending {
        guard case .clear(var reader) = source else { return .mustBeRead }
        defer { source = .clear(reader) }
        return reader.sendRun(to: socket)
    }
}
