import JSONDocument

/// An answer of an operation, with its status.
package struct APIAnswer: Sendable {
    package let status: Int
    package let meaning: String
    package let contents: [APIContent]
    package let headers: [any DeclaredField]

    /// - Parameters:
    ///   - status: the status of HTTP.
    ///   - meaning: the meaning of the answer, or of its content.
    ///   - contents: the content, in each media type that a client can ask for; none for an answer without.
    ///   - headers: the header fields that tell more.
    package init(
        _ status: Int, _ meaning: String, _ contents: [APIContent] = [], headers: [any DeclaredField] = []
    ) {
        (self.status, self.meaning, self.contents, self.headers) = (status, meaning, contents, headers)
    }

    func json(_ components: inout SchemaComponents) -> JSONText {
        var members: [JSONText.Field] = [("description", .string(meaning))]
        if !headers.isEmpty {
            members.append(
                (
                    "headers",
                    .object(
                        headers.map { field in
                            var header: [JSONText.Field] = []
                            if let meaning = field.meaning { header.append(("description", .string(meaning))) }
                            var schema = field.schema(&components)
                            schema["description"] = nil
                            header.append(("schema", schema))
                            return (field.name, .object(header))
                        })
                ))
        }
        if !contents.isEmpty {
            members.append(("content", .object(contents.map { ($0.mediaType, $0.json(&components)) })))
        }
        return .object(members)
    }
}
