package import JSONDocument

/// The schemas that a description has by name, collected while what refers to them is described.
package struct SchemaComponents: Sendable {
    private var schemas: [String: JSONText] = [:]

    package init() {}

    /// A reference to a schema, which is described the first time.
    ///
    /// - Parameters:
    ///   - name: the name in the description.
    ///   - describe: makes the schema. It may refer to itself.
    package mutating func reference(
        to name: String, _ describe: (inout SchemaComponents) -> JSONText
    ) -> JSONText {
        if schemas[name] == nil {
            schemas[name] = .null
            let schema = describe(&self)
            schemas[name] = schema
        }
        return .object([("$ref", .string("#/components/schemas/\(name)"))])
    }

    /// All of them, in the order of their names.
    package var json: JSONText { .object(schemas.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) }
}
