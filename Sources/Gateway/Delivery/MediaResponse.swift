import HTTPTypes
import NIOCore

/// An answer that is complete in memory.
struct MediaResponse: Sendable {
    var head: HTTPResponse
    /// One behind the other; shared with every other viewer of the same media.
    var body: [ByteBuffer]

    var bodyByteCount: Int { body.reduce(0) { $0 + $1.readableBytes } }

    /// A whole representation, or the range of it that was asked for.
    ///
    /// - Parameters:
    ///   - fields: without length.
    ///   - etag: strong, with quotation marks.
    init(request: HTTPRequest, fields: HTTPFields, etag: String?, body: [ByteBuffer]) {
        var fields = fields
        let byteCount = body.reduce(0) { $0 + $1.readableBytes }
        if let etag {
            fields.append(HTTPField(name: .eTag, value: etag))
            if let known = request.headerFields[.ifNoneMatch], known == "*" || known.contains(etag) {
                self.init(head: HTTPResponse(status: .notModified, headerFields: fields), body: [])
                return
            }
            fields.append(HTTPField(name: .acceptRanges, value: "bytes"))
            if let range = ByteRangeRequest(request, etag: etag) {
                self.init(range: range, of: body, byteCount: byteCount, fields: fields)
                return
            }
        }
        fields.append(HTTPField(name: .contentLength, value: String(byteCount)))
        self.init(head: HTTPResponse(status: .ok, headerFields: fields), body: body)
    }

    private init(range: ByteRangeRequest, of body: [ByteBuffer], byteCount: Int, fields: HTTPFields) {
        var fields = fields
        guard let range = range.resolved(byteCount: Int64(byteCount)) else {
            fields[.contentRange] = "bytes */\(byteCount)"
            fields[.contentLength] = "0"
            // Not the media, so nothing that a cache may keep for a year under the media's URL.
            fields[.cacheControl] = "no-store"
            self.init(head: HTTPResponse(status: .rangeNotSatisfiable, headerFields: fields), body: [])
            return
        }
        fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
        fields[.contentLength] = String(range.count)
        self.init(
            head: HTTPResponse(status: .partialContent, headerFields: fields),
            body: Self.slice(body, Int(range.lowerBound)..<Int(range.upperBound)))
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

/// Header fields of the kinds of answers, made once.
enum MediaFields {
    /// Media never changes under its URL (design decision 8): a year, as long as caches keep anything.
    private static let immutable = "public, max-age=31536000, immutable"

    static let livePlaylist = playlist(cacheControl: "public, max-age=1")
    /// A title's playlist changes when its file is replaced.
    static let titlePlaylist = playlist(cacheControl: "public, max-age=30")
    static let videoSegment = media("video/iso.segment")
    static let audioSegment = media("video/iso.segment")
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
        [.contentType: contentType, .cacheControl: immutable, .accessControlAllowOrigin: "*"]
    }
}
