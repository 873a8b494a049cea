import JSONDocument

/// The content of a request or an answer: its media type and its schema.
package struct APIContent: Sendable {
    package let mediaType: String
    private let describe: @Sendable (inout SchemaComponents) -> JSONText

    /// - Parameters:
    ///   - mediaType: such as `text/csv`.
    ///   - type: the type of the values.
    ///   - traits: what holds for the values beyond it.
    package init<Value: APIValue>(_ mediaType: String, _: Value.Type, _ traits: [SchemaTrait] = []) {
        self.mediaType = mediaType
        describe = { Value.schema(&$0).with(traits) }
    }

    /// A value in JSON.
    package static func json<Value: APIValue>(_ type: Value.Type) -> APIContent {
        APIContent("application/json", type)
    }

    /// An object in JSON.
    package static func json<Fields: ObjectFields>(_: Fields.Type) -> APIContent {
        APIContent("application/json", APIObject<Fields>.self)
    }

    /// One page of a list of objects.
    package static func page<Fields: ObjectFields>(of _: Fields.Type) -> APIContent {
        APIContent("application/json", APIPage<Fields>.self)
    }

    func json(_ components: inout SchemaComponents) -> JSONText { .object([("schema", describe(&components))]) }
}
