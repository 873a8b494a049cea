package import NIOCore

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
