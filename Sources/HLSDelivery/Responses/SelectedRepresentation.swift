package import HTTPTypes

/// The part of a representation that a request gets (all of it, a range, or nothing) with the matching head; used for
/// media in memory and in files.
package struct SelectedRepresentation: Sendable {
    package let head: HTTPResponse
    /// The range to send; empty if there is no body.
    package let range: Range<Int64>

    /// - Parameters:
    ///   - request: the request, whose conditions and range decide.
    ///   - fields: the header fields without Content-Length.
    ///   - etag: the strong entity tag, with quotation marks; if it is `nil`, conditions and ranges are ignored.
    ///   - byteCount: the size of the whole.
    package init(request: HTTPRequest, fields: HTTPFields, etag: String?, byteCount: Int64) {
        var fields = fields
        if let etag {
            fields.append(HTTPField(name: .eTag, value: etag))
            if let known = request.headerFields.first(.ifNoneMatch), EntityTag.list(known, matches: etag) {
                self.init(.notModified, fields, 0..<0)
                return
            }
            fields.append(HTTPField(name: .acceptRanges, value: "bytes"))
            if let range = ByteRangeRequest(request, etag: etag) {
                self.init(range: range, byteCount: byteCount, fields: fields)
                return
            }
        }
        fields.append(HTTPField(name: .contentLength, value: String(byteCount)))
        self.init(.ok, fields, 0..<byteCount)
    }

    private init(range: ByteRangeRequest, byteCount: Int64, fields: HTTPFields) {
        var fields = fields
        guard let range = range.resolved(byteCount: byteCount) else {
            fields[.contentRange] = "bytes */\(byteCount)"
            fields[.contentLength] = "0"
            // Caches must not store this for a year under the media's URL.
            fields[.cacheControl] = "no-store"
            self.init(.rangeNotSatisfiable, fields, 0..<0)
            return
        }
        fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
        fields[.contentLength] = String(range.count)
        self.init(.partialContent, fields, range)
    }

    private init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ range: Range<Int64>) {
        head = HTTPResponse(status: status, headerFields: fields)
        self.range = range
    }
}
