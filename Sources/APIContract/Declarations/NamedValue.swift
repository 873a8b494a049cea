package import JSONDocument

/// A kind of value with rules of its own that several fields share, such as the states of accounts. The description has
/// it once, by its name.
package protocol NamedValue: APIValue {
    associatedtype Content: APIValue

    /// The name in the description.
    static var name: String { get }
    /// The meaning; `nil` if the name says all.
    static var meaning: String? { get }
    static var traits: [SchemaTrait] { get }

    var content: Content { get }

    init(_ content: Content)
}

extension NamedValue {
    package static var meaning: String? { nil }

    package static func schema(_ components: inout SchemaComponents) -> JSONText {
        components.reference(to: name) { components in
            Content.schema(&components).with(traits).describing(meaning)
        }
    }
    package static var example: JSONText { SchemaTrait.example(in: traits, or: Content.example) }

    package var json: JSONText { content.json }

    package init?(json: JSONText) {
        guard let content = Content(json: json) else { return nil }
        self.init(content)
    }
}
