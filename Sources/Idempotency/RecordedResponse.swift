/// The response to a request, as its repetitions get it.
package struct RecordedResponse: Sendable, Hashable, Codable {
    /// A header field.
    package struct Field: Sendable, Hashable, Codable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package var status: Int
    package var fields: [Field]
    package var body: [UInt8]

    /// Limit of the body that is kept; answers to requests that create something have a few hundred bytes.
    package static let maximumBodyByteCount = 64 * 1_024

    package init(status: Int, fields: [Field], body: [UInt8]) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}
