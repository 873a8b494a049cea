/// A request to a receiver: a POST of JSON.
package struct WebhookRequest: Sendable, Hashable {
    package var url: String
    /// The names, in lower case, and values of the header fields of Standard Webhooks.
    package var fields: [Field]
    package var body: String

    /// A header field.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package init(url: String, fields: [Field], body: String) {
        (self.url, self.fields, self.body) = (url, fields, body)
    }

    /// Limit of the time from the look-up of the host to the end of the answer.
    package static let timeLimit = Duration.seconds(15)
    /// Limit of an answer, which is read and not kept: it could be something that only the server can reach.
    package static let maximumResponseByteCount = 64 * 1_024
}
