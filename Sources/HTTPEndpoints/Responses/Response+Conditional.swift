import HTTPTypes
package import Hummingbird
import NIOCore

extension Response {
    /// A content for clients that ask for it again and again: 304 without it for a client that has it already
    /// (RFC 9110 §13.1.2).
    ///
    /// - Parameters:
    ///   - content: the content.
    ///   - type: the media type.
    ///   - tag: changes with the content.
    ///   - cacheControl: how long it may be kept.
    ///   - request: the client's request.
    package static func conditional(
        _ content: [UInt8], type: String, tag: EntityTag, cacheControl: String, for request: Request
    ) -> Response {
        var fields: HTTPFields = [.eTag: tag.field, .cacheControl: cacheControl]
        guard request.headers[.ifNoneMatch] != tag.field else { return Response(status: .notModified, headers: fields) }
        fields[.contentType] = type
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: content)))
    }
}
