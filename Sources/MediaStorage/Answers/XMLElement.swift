/// An element of an XML answer. Attributes, comments and namespaces are not kept.
struct XMLElement: Sendable, Hashable {
    /// The name without a namespace prefix.
    var name: String
    /// The text between the tags, if the element has no children.
    var text = ""
    var children: [XMLElement] = []

    /// The text of the first child with a name; `nil` if there is none.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    /// The children with a name.
    func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
