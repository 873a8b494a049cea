import HTTPTypes

/// What a request takes in memory, as far as it can be told from outside.
enum RequestCost {
    /// A request or stream itself: its channel and its handlers.
    static let base = 8 << 10
    /// The task that serves a request, on its way through the middlewares and the endpoint: measured, with what it
    /// keeps.
    static let task = 24 << 10
    /// What may lie between the socket and the handler of a request with a body: NIO reads at most so much at once, and
    /// an HTTP/2 stream has a window of this size.
    static let bodyWindow = 64 << 10
    /// Overhead of a field, in the form of HTTP/2 or in that of the handlers.
    private static let field = 96

    /// A decoded head.
    ///
    /// - Parameters:
    ///   - fieldCount: number of fields.
    ///   - byteCount: bytes of their names and values.
    static func head(fieldCount: Int, byteCount: Int) -> Int { base + 2 * byteCount + field * fieldCount }
}

extension RequestCost {
    static func head(_ request: HTTPRequest) -> Int {
        var byteCount = request.path?.utf8.count ?? 0
        for field in request.headerFields { byteCount += field.name.rawName.utf8.count + field.value.utf8.count }
        return head(fieldCount: request.headerFields.count, byteCount: byteCount)
    }
}
