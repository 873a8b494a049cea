/// A method of HTTP that operations of the API have (RFC 9110 §9, RFC 5789).
package enum APIMethod: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
}
