import HTTPTypes
import NIOCore

/// An answer that is complete in memory.
struct MediaResponse: Sendable {
    var head: HTTPResponse
    /// One behind the other; shared with every other viewer of the same media.
    var body: [ByteBuffer]
    /// Head and body as HTTP/1.1 has them, for an answer that thousands get.
    var encoded: ByteBuffer?
    /// What of a live channel's memory the body is.
    var holding: LiveHolding?

    var bodyByteCount: Int { body.reduce(0) { $0 + $1.readableBytes } }

    /// A whole representation, or the range of it that was asked for.
    ///
    /// - Parameters:
    ///   - fields: without length.
    ///   - etag: strong, with quotation marks.
    init(request: HTTPRequest, fields: HTTPFields, etag: String?, body: [ByteBuffer]) {
        let byteCount = body.reduce(0) { $0 + $1.readableBytes }
        let selected = SelectedRepresentation(
            request: request, fields: fields, etag: etag, byteCount: Int64(byteCount))
        let range = Int(selected.range.lowerBound)..<Int(selected.range.upperBound)
        self.init(head: selected.head, body: range == 0..<byteCount ? body : Self.slice(body, range))
    }

    init(head: HTTPResponse, body: [ByteBuffer]) {
        self.head = head
        self.body = body
    }

    private static func slice(_ pieces: [ByteBuffer], _ range: Range<Int>) -> [ByteBuffer] {
        var start = 0
        return pieces.compactMap { piece in
            defer { start += piece.readableBytes }
            let wanted = range.clamped(to: start..<(start + piece.readableBytes))
            return wanted.isEmpty
                ? nil : piece.getSlice(at: piece.readerIndex + wanted.lowerBound - start, length: wanted.count)
        }
    }

    /// The same with ``encoded``.
    func withEncoding() -> MediaResponse {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(bodyByteCount + 512)
        bytes.writeString("HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n")
        for field in head.headerFields { bytes.writeString("\(field.name.rawName): \(field.value)\r\n") }
        bytes.writeString("\r\n")
        for piece in body { bytes.writeImmutableBuffer(piece) }
        var response = self
        response.encoded = bytes
        return response
    }

    /// An error as RFC 9457 has it.
    ///
    /// - Parameters:
    ///   - detail: what is wrong and what to do, for people.
    ///   - retryAfter: seconds.
    static func problem(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Int? = nil) -> MediaResponse {
        let json =
            "{\"type\":\"about:blank\",\"title\":\(jsonString(status.reasonPhrase)),"
            + "\"status\":\(status.code),\"detail\":\(jsonString(detail))}"
        var fields = MediaFields.problem
        fields[.contentLength] = String(json.utf8.count)
        if let retryAfter { fields[.retryAfter] = String(retryAfter) }
        return MediaResponse(head: HTTPResponse(status: status, headerFields: fields), body: [ByteBuffer(string: json)])
    }

    private static func jsonString(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// How long a cache may keep a playlist.
enum PlaylistKind: Sendable {
    case live
    case blockingReload
    case title
    /// Names a token, which no shared cache is to pass on.
    case encryptedTitle

    var fields: HTTPFields {
        switch self {
        case .live: MediaFields.livePlaylist
        case .blockingReload: MediaFields.blockingReload
        case .title: MediaFields.titlePlaylist
        case .encryptedTitle: MediaFields.encryptedTitlePlaylist
        }
    }
}

/// Values of `Cache-Control` that several parts of the gateway share.
enum CachePolicy {
    /// For URLs with one content only (design decision 8), because they name a revision or an epoch that the server
    /// checks: a year, as long as caches keep anything (RFC 8246).
    static let immutable = "public, max-age=31536000, immutable"
}

/// Header fields of the kinds of answers, made once.
enum MediaFields {
    static let livePlaylist = playlist(cacheControl: "public, max-age=1")
    /// The answer to a blocking reload names what it has waited for, so it is as good for who asks for the same a little
    /// later: a cache in front of many players asks once.
    static let blockingReload = playlist(cacheControl: "public, max-age=6")
    /// A title's playlist changes when its file is replaced.
    static let titlePlaylist = playlist(cacheControl: "public, max-age=30")
    static let encryptedTitlePlaylist = playlist(cacheControl: "private, max-age=30")
    static let subtitleSegment = media("text/vtt; charset=utf-8")
    /// Its address stays while the texts change.
    static let subtitles: HTTPFields = [
        .contentType: "text/vtt; charset=utf-8", .cacheControl: "public, max-age=30", .accessControlAllowOrigin: "*",
    ]
    static let chapters: HTTPFields = [
        .contentType: "application/json", .cacheControl: "public, max-age=30", .accessControlAllowOrigin: "*",
    ]
    static let key: HTTPFields = [
        .contentType: "application/octet-stream", .cacheControl: "no-store", .accessControlAllowOrigin: "*",
    ]
    static let videoSegment = media("video/iso.segment")
    static let audioSegment = media("video/iso.segment")
    static let transportStreamSegment = media("video/mp2t")
    static let videoInitialization = media("video/mp4")
    static let audioInitialization = media("audio/mp4")
    static let problem: HTTPFields = [
        .contentType: "application/problem+json", .cacheControl: "no-store", .accessControlAllowOrigin: "*",
    ]

    private static func playlist(cacheControl: String) -> HTTPFields {
        [
            .contentType: "application/vnd.apple.mpegurl", .cacheControl: cacheControl, .vary: "Accept-Encoding",
            .accessControlAllowOrigin: "*",
        ]
    }

    private static func media(_ contentType: String) -> HTTPFields {
        [.contentType: contentType, .cacheControl: CachePolicy.immutable, .accessControlAllowOrigin: "*"]
    }
}
