/// An element of an XML document. Comments and namespaces are not kept.
package struct XMLElement: Sendable, Hashable {
    /// The name without a namespace prefix.
    package var name: String
    /// The text between the tags, if the element has no children.
    package var text = ""
    package var children: [XMLElement] = []
    /// The attributes by their names without a namespace prefix; empty if the reader was not asked for them.
    package var attributes: [String: String] = [:]

    /// The text of the first child with a name; `nil` if there is none.
    package subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    /// The children with a name.
    package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
