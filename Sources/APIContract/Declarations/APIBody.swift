import JSONDocument

/// The body of requests to an operation.
package struct APIBody: Sendable {
    package let contents: [APIContent]
    package let isRequired: Bool
    package let meaning: String?

    /// - Parameters:
    ///   - contents: the content, in each media type that the server takes.
    ///   - isRequired: whether a request without a body is refused.
    ///   - meaning: the meaning; `nil` if the operation says all.
    package init(_ contents: APIContent..., isRequired: Bool = true, meaning: String? = nil) {
        (self.contents, self.isRequired, self.meaning) = (contents, isRequired, meaning)
    }

    /// An object in JSON.
    package static func json(_ fields: (some ObjectFields).Type) -> APIBody { APIBody(.json(fields)) }

    func json(_ components: inout SchemaComponents) -> JSONText {
        var members: [JSONText.Field] = []
        if isRequired { members.append(("required", .boolean(true))) }
        if let meaning { members.append(("description", .string(meaning))) }
        members.append(("content", .object(contents.map { ($0.mediaType, $0.json(&components)) })))
        return .object(members)
    }
}
