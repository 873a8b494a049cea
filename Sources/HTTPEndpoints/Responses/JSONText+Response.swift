package import HTTPTypes
package import Hummingbird
package import JSONDocument
import NIOCore

extension JSONText {
    /// The value as a response of the API. It is never cached, because everything in it changes.
    package func response(status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: rendered)))
    }
}
