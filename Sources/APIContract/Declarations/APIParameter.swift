import JSONDocument

/// A parameter of operations of the API.
package struct APIParameter: Sendable {
    /// The part of the request that it is in.
    package enum Place: String, Sendable {
        case path
        case query
        case header
    }

    package let place: Place
    package let field: any DeclaredField
    /// The name that the description has it by, because many operations have it; `nil` for one that stands where it is
    /// used.
    package let sharedName: String?

    /// - Parameters:
    ///   - place: the part of the request that it is in. One in the path is never optional.
    ///   - field: its name, type and meaning.
    ///   - sharedName: the name that the description has it by; `nil` if it stands where it is used.
    package init(_ place: Place, _ field: any DeclaredField, sharedAs sharedName: String? = nil) {
        (self.place, self.field, self.sharedName) = (place, field, sharedName)
    }

    package static func path(_ field: any DeclaredField) -> APIParameter { APIParameter(.path, field) }
    package static func query(_ field: any DeclaredField) -> APIParameter { APIParameter(.query, field) }
    package static func header(_ field: any DeclaredField) -> APIParameter { APIParameter(.header, field) }

    func json(_ components: inout SchemaComponents) -> JSONText {
        var members: [JSONText.Field] = [("name", .string(field.name)), ("in", .string(place.rawValue))]
        if place == .path || !field.isOptional { members.append(("required", .boolean(true))) }
        if let meaning = field.meaning { members.append(("description", .string(meaning))) }
        var schema = field.schema(&components)
        schema["description"] = nil
        members.append(("schema", schema))
        return .object(members)
    }
}
