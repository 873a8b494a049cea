package import JSONDocument

/// The description of the API (OpenAPI 3.1), rendered from the operations that a server answers.
package struct APIDescription {
    /// An operation, and who may send it.
    package struct Entry: Sendable {
        package let operation: any DeclaredOperation
        package let security: [String]
        package let isForStrangers: Bool
        package let permission: String

        /// - Parameters:
        ///   - operation: the operation.
        ///   - schemes: the names of the security schemes, each of which is enough; none for an operation that looks
        ///     at no credential.
        ///   - isForStrangers: whether a request without a credential is answered.
        ///   - permission: the permission that a token needs.
        package init(
            _ operation: any DeclaredOperation, security schemes: [String], isForStrangers: Bool, permission: String
        ) {
            self.operation = operation
            (security, self.isForStrangers, self.permission) = (schemes, isForStrangers, permission)
        }
    }

    private let entries: [Entry]

    /// - Parameter entries: the operations, no two of which have the same method and path.
    package init(_ entries: [Entry]) { self.entries = entries }

    /// The document.
    package var json: JSONText {
        var components = SchemaComponents()
        var parameters: [String: JSONText] = [:]
        var paths: [(path: String, operations: [JSONText.Field])] = []
        for entry in entries {
            let operation = Self.operation(entry, &components, &parameters)
            let method = entry.operation.method.rawValue.lowercased()
            if let index = paths.firstIndex(where: { $0.path == entry.operation.path }) {
                paths[index].operations.append((method, operation))
            } else {
                paths.append((entry.operation.path, [(method, operation)]))
            }
        }
        let problem = APIContent("application/problem+json", APIObject<ProblemFields>.self)
        let problems = APIAnswer(0, "Problem details (RFC 9457)", [problem]).json(&components)
        var tags: [String] = []
        for entry in entries where !tags.contains(entry.operation.tag) { tags.append(entry.operation.tag) }
        return .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string(Product.name)), ("version", .string(Product.version)),
                    ("description", .string(Self.introduction)),
                ])
            ),
            ("tags", .array(tags.map { .object([("name", .string($0))]) })),
            ("paths", .object(paths.map { ($0.path, .object($0.operations)) })),
            (
                "components",
                .object([
                    ("securitySchemes", Self.securitySchemes),
                    ("parameters", .object(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })),
                    ("responses", .object([("Problem", problems)])), ("schemas", components.json),
                ])
            ),
        ])
    }

    private static func operation(
        _ entry: Entry, _ components: inout SchemaComponents, _ shared: inout [String: JSONText]
    ) -> JSONText {
        let operation = entry.operation
        var members: [JSONText.Field] = [
            ("operationId", .string(operation.id)), ("tags", .array([.string(operation.tag)])),
            ("x-antena-permission", .string(entry.permission)),
        ]
        if !entry.security.isEmpty {
            let schemes = entry.security.map { JSONText.object([($0, .array([]))]) }
            members.append(("security", .array((entry.isForStrangers ? [.object([])] : []) + schemes)))
        }
        members.append(("summary", .string(operation.summary)))
        if let meaning = operation.meaning { members.append(("description", .string(meaning))) }
        if !operation.parameters.isEmpty {
            let parameters = operation.parameters.map { parameter in
                guard let name = parameter.sharedName else { return parameter.json(&components) }
                if shared[name] == nil { shared[name] = parameter.json(&components) }
                return JSONText.object([("$ref", .string("#/components/parameters/\(name)"))])
            }
            members.append(("parameters", .array(parameters)))
        }
        if let body = operation.body { members.append(("requestBody", body.json(&components))) }
        members.append(("responses", .object(responses(entry, &components))))
        return .object(members)
    }

    /// The answers by status, and the problems for all other ones.
    private static func responses(_ entry: Entry, _ components: inout SchemaComponents) -> [JSONText.Field] {
        var responses: [JSONText.Field] = []
        for answer in entry.operation.answers { responses.append(("\(answer.status)", answer.json(&components))) }
        let reference = JSONText.string("#/components/responses/Problem")
        for (status, types) in problems(of: entry) where !responses.contains(where: { $0.name == "\(status)" }) {
            // Beside a reference a description may stand (OpenAPI 3.1.1, Reference Object).
            let titles = types.map { "\($0.title) (`\($0.code)`)" }.joined(separator: "; ")
            responses.append(("\(status)", .object([("$ref", reference), ("description", .string(titles))])))
        }
        return responses + [("default", .object([("$ref", reference)]))]
    }

    /// The problems that an operation reports, by status: those that are particular to it, and those that follow from
    /// its parameters, its body, and who may send it.
    private static func problems(of entry: Entry) -> [(status: Int, types: [ProblemType])] {
        let operation = entry.operation
        var problems = operation.problems
        func add(_ statuses: Int...) {
            problems += statuses.compactMap { status in
                ProblemType.standard(forStatus: status).map { APIProblem(status, $0) }
            }
        }
        // A member may send so many requests in a time.
        if !entry.security.isEmpty { add(429) }
        if !entry.security.isEmpty, !entry.isForStrangers { add(401, 403) }
        if operation.parameters.contains(where: { $0.place == .path }) { add(404) }
        if operation.parameters.contains(where: { $0.place == .query }) { add(400) }
        for parameter in operation.parameters where parameter.field.name == "If-Match" {
            add(412)
            if !parameter.field.isOptional { add(428) }
        }
        if operation.body != nil { add(400, 413, 415, 422) }
        return Dictionary(grouping: Set(problems), by: \.status).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.map(\.type).sorted { $0.code < $1.code }) }
    }

    private static let introduction = """
        A media library and live-channel streaming gateway. `x-antena-permission` of an operation is the permission \
        that an API token or app password needs, without a limit to channels unless the operation is about one: \
        `session` for operations that no token may use, `none` for those that any may. Where strangers may send a \
        request, a token without the permission gets what strangers get.
        """

    private static var securitySchemes: JSONText {
        func scheme(_ members: [(String, String)]) -> JSONText {
            .object(members.map { (name: $0.0, value: .string($0.1)) })
        }
        return .object([
            (
                "token",
                scheme([
                    ("type", "http"), ("scheme", "bearer"),
                    ("description", "An API token of an account, or the secret of a session."),
                ])
            ),
            (
                "sessionCookie",
                scheme([
                    ("type", "apiKey"), ("in", "cookie"), ("name", "antena_session"),
                    (
                        "description",
                        "The session of a browser; over HTTPS the name is __Host-antena_session. Changes need the header X-CSRF-Token with the csrf of GET /api/v1/session."
                    ),
                ])
            ),
            (
                "operatorToken",
                scheme([
                    ("type", "http"), ("scheme", "bearer"),
                    (
                        "description",
                        "The content of the file operator-token in the server's data folder, which may do everything that belongs to no account."
                    ),
                ])
            ),
        ])
    }
}
