import HTTPTypes

/// An estimate of a request's memory.
enum RequestCost {
    /// A request of HTTP/1.1: those of a crowd of 15,000 who ask in the same moment fit into the budget.
    static let request = 2 << 10
    /// A stream of HTTP/2 with its request: it has a channel and handlers of its own.
    static let stream = 8 << 10
    /// The bytes between the socket and the handler of a request with a body: NIO reads at most so much at once, and an
    /// HTTP/2 stream has a window of this size.
    static let bodyWindow = 64 << 10
    /// Overhead of a field, in the form of HTTP/2 or in that of the handlers.
    private static let field = 96

    /// A decoded head.
    ///
    /// - Parameters:
    ///   - fieldCount: number of fields.
    ///   - byteCount: bytes of their names and values.
    ///   - isStream: whether it came with HTTP/2.
    static func head(fieldCount: Int, byteCount: Int, isStream: Bool) -> Int {
        (isStream ? stream : request) + 2 * byteCount + field * fieldCount
    }
}

extension RequestCost {
    static func head(_ request: HTTPRequest, isStream: Bool) -> Int {
        var byteCount = request.path?.utf8.count ?? 0
        for field in request.headerFields { byteCount += field.name.rawName.utf8.count + field.value.utf8.count }
        return head(fieldCount: request.headerFields.count, byteCount: byteCount, isStream: isStream)
    }
}
