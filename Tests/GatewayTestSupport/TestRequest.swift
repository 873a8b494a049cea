package import HTTPTypes
import NIOCore
package import NIOHTTPTypes

package enum TestRequest {
    package static func parts(
        _ path: String, method: HTTPRequest.Method = .get, fields: HTTPFields = [:], body: [String] = []
    ) -> [HTTPRequestPart] {
        let head = HTTPRequest(method: method, scheme: "http", authority: "host", path: path, headerFields: fields)
        return [.head(head)] + body.map { .body(ByteBuffer(string: $0)) } + [.end(nil)]
    }
}
