package import HTTPTypes
package import LogMetadata

extension RequestIdentifier {
    /// `X-Request-ID`, in which proxies give the identifier, and in which the response names it.
    package static let fieldName: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Request-ID") else { preconditionFailure("X-Request-ID is a field name") }
        return name
    }()
}
