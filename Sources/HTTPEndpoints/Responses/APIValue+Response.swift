package import APIContract
package import HTTPTypes
package import Hummingbird
import JSONDocument
import NIOCore

extension APIValue {
    /// The value as a response of the API. It is never cached, because everything in it changes.
    package func response(status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.rendered)))
    }

    /// The response of a resource without a version of its own, with ``EntityTag/init(of:)-(APIValue)``.
    package func taggedResponse(status: HTTPResponse.Status = .ok) -> Response {
        var response = response(status: status)
        response.headers[.eTag] = EntityTag(of: self).field
        return response
    }
}
