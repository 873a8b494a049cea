package import NIOCore

/// A request (RFC 2326 §6).
package struct RTSPRequest: Hashable, Sendable {
    package var method: RTSPMethod
    /// The URI as sent: usually absolute, `*` for OPTIONS.
    package var uri: String
    package var headers: RTSPHeaders
    package var body: ByteBuffer

    package init(method: RTSPMethod, uri: String, headers: RTSPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.method = method
        self.uri = uri
        self.headers = headers
        self.body = body
    }

    /// The CSeq header; `nil` if the client did not send one. libstreaming omits it in RECORD.
    package var cSeq: String? { headers["CSeq"] }

    /// ID in the Session header, without parameters; `nil` if there is none.
    package var sessionID: String? {
        guard let header = headers["Session"] else { return nil }
        let id = trimmingWhitespace(header.split(separator: ";", maxSplits: 1).first ?? "")
        return id.isEmpty ? nil : id
    }

    /// Appends the request in its wire format, with `Content-Length` if there is a body.
    package func write(into buffer: inout ByteBuffer) {
        buffer.writeString("\(method.rawValue) \(uri) RTSP/1.0\r\n")
        headers.write(into: &buffer, bodyByteCount: body.readableBytes)
        buffer.writeImmutableBuffer(body)
    }
}

/// Removes spaces, tabs and line ends at both ends.
func trimmingWhitespace(_ text: some StringProtocol) -> String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" }
    var scalars = Substring(text).unicodeScalars.drop(while: isSpace)
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    return String(scalars)
}
