package import JSONDocument

/// A ``Field`` of any type.
package protocol DeclaredField: Sendable {
    var name: String { get }
    var meaning: String? { get }
    var traits: [SchemaTrait] { get }
    var example: JSONText { get }

    func schema(_ components: inout SchemaComponents) -> JSONText
}

extension DeclaredField {
    /// Whether the member may be missing.
    package var isOptional: Bool { traits.contains(where: \.isOptional) }
}
