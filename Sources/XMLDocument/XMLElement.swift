/// An element of an XML document. Attributes, comments and namespaces are not kept.
package struct XMLElement: Sendable, Hashable {
    /// The name without a namespace prefix.
    package var name: String
    /// The text between the tags, if the element has no children.
    package var text = ""
    package var children: [XMLElement] = []

    /// The text of the first child with a name; `nil` if there is none.
    package subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    /// The children with a name.
    package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
