import HTTPTypes
import NIOCore

/// The head of a response for media as it is sent: with what lets scripts of other pages read it. There is no other way
/// to encode or to send one.
struct MediaResponseHead: Sendable {
    var head: HTTPResponse
    /// The fields of ``MediaCrossOriginPolicy``, which follow those of the head.
    var crossOrigin: HTTPFields

    /// The head with all its fields.
    var complete: HTTPResponse {
        var head = head
        head.headerFields.append(contentsOf: crossOrigin)
        return head
    }

    /// Returns the head encoded for HTTP/1.1 (RFC 9112 §4). It contains the body's length, so the body needs no
    /// framing.
    ///
    /// - Parameter additionalByteCount: capacity to reserve after the head.
    func http1(additionalByteCount: Int = 0) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(additionalByteCount + 640)
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(head.status == .ok ? "200 OK" : "\(head.status.code) \(head.status.reasonPhrase)")
        for field in head.headerFields { Self.write(field, into: &bytes) }
        for field in crossOrigin { Self.write(field, into: &bytes) }
        bytes.writeStaticString("\r\n\r\n")
        return bytes
    }

    private static func write(_ field: HTTPField, into bytes: inout ByteBuffer) {
        bytes.writeStaticString("\r\n")
        bytes.writeString(field.name.rawName)
        bytes.writeStaticString(": ")
        bytes.writeString(field.value)
    }
}
