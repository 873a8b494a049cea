import APIContract
import HTTPTypes
import NIOCore

/// A response that is complete in memory.
struct MediaResponse: Sendable {
    var head: HTTPResponse
    /// The pieces of the body in order, shared with all other viewers of the same media.
    var body: [ByteBuffer]
    /// Head and body encoded for HTTP/1.1, for responses that many viewers get; `nil` if they are not encoded.
    var encoded: ByteBuffer?
    /// The memory of a live channel that the body uses; `nil` for other bodies.
    var holding: LiveHolding?

    var bodyByteCount: Int { body.reduce(0) { $0 + $1.readableBytes } }

    /// Creates a response with a whole representation or the requested range of it.
    ///
    /// - Parameters:
    ///   - fields: the header fields without Content-Length.
    ///   - etag: the strong entity tag, with quotation marks; `nil` if there is none.
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

    /// A copy with ``encoded`` set.
    ///
    /// - Parameter crossOrigin: the policy; the same response is unchanged if its fields depend on the request.
    func withEncoding(_ crossOrigin: MediaCrossOriginPolicy) -> MediaResponse {
        guard let fields = crossOrigin.common else { return self }
        var bytes = MediaResponseHead(head: head, crossOrigin: fields).http1(additionalByteCount: bodyByteCount)
        for piece in body { bytes.writeImmutableBuffer(piece) }
        var response = self
        response.encoded = bytes
        return response
    }

    /// A response with problem details (RFC 9457).
    ///
    /// - Parameters:
    ///   - detail: the problem and its remedy, human-readable.
    ///   - type: the kind of problem; `nil` for what the status says.
    ///   - retryAfter: the value of Retry-After in seconds; `nil` omits the header.
    static func problem(
        _ status: HTTPResponse.Status, _ detail: String, type: ProblemType? = nil, retryAfter: Int? = nil
    ) -> MediaResponse {
        let type = type ?? ProblemType.standard(forStatus: status.code)
        let json =
            "{\"type\":\"\(type?.reference ?? "about:blank")\",\"title\":\(jsonString(type?.title ?? status.reasonPhrase)),"
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

extension HTTPFields {
    /// Returns the value of the first field with that name. The subscript makes an index of all names first, which
    /// costs more than going through the few fields of a request once or twice.
    func first(_ name: HTTPField.Name) -> String? {
        for field in self where field.name == name { return field.value }
        return nil
    }
}
