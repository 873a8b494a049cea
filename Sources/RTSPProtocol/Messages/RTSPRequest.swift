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

/// A response (RFC 2326 §7).
package struct RTSPResponse: Hashable, Sendable {
    package var status: RTSPStatus
    package var headers: RTSPHeaders
    package var body: ByteBuffer

    package init(status: RTSPStatus, headers: RTSPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response to `request`. It repeats the request's CSeq, and has none if the request had none (RFC 2326
    /// §12.17).
    package init(to request: RTSPRequest, _ status: RTSPStatus, headers: RTSPHeaders = [:]) {
        var all = RTSPHeaders()
        if let cSeq = request.cSeq { all.add(name: "CSeq", value: cSeq) }
        for field in headers.fields { all.add(name: field.name, value: field.value) }
        self.init(status: status, headers: all)
    }

    /// Appends the response in its wire format, with `Content-Length` if there is a body.
    package func write(into buffer: inout ByteBuffer) {
        buffer.writeString("RTSP/1.0 \(status.code) \(status.reasonPhrase)\r\n")
        headers.write(into: &buffer, bodyByteCount: body.readableBytes)
        buffer.writeImmutableBuffer(body)
    }
}

extension RTSPHeaders {
    fileprivate func write(into buffer: inout ByteBuffer, bodyByteCount: Int) {
        for field in fields { buffer.writeString("\(field.name): \(withoutControls(field.value))\r\n") }
        if bodyByteCount > 0 && self["Content-Length"] == nil {
            buffer.writeString("Content-Length: \(bodyByteCount)\r\n")
        }
        buffer.writeString("\r\n")
    }
}

/// Replaces control characters, so that an echoed value cannot start a new line.
private func withoutControls(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
}

/// Removes spaces, tabs and line ends at both ends.
func trimmingWhitespace(_ text: some StringProtocol) -> String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" }
    var scalars = Substring(text).unicodeScalars.drop(while: isSpace)
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    return String(scalars)
}
