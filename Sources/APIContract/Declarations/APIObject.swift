package import JSONDocument

/// An object of the API with the fields of a declaration: one that the server writes, or one that a client has read.
///
/// A client reads a member by the name of its field: `announcement.text`; `nil` if it is missing or of another type.
@dynamicMemberLookup package struct APIObject<Fields: ObjectFields>: APIValue {
    package let json: JSONText

    /// - Parameters:
    ///   - json: the object.
    ///   - isComplete: whether it has to have what is declared, which builds with assertions check.
    init(json: JSONText, isComplete: Bool) {
        self.json = json
        assert(!isComplete || Self.deviation(of: json) == nil, "\(Fields.name): \(Self.deviation(of: json) ?? "")")
    }

    package init?(json: JSONText) {
        guard case .members = json else { return nil }
        self.init(json: json, isComplete: false)
    }

    package static func schema(_ components: inout SchemaComponents) -> JSONText { Fields.reference(&components) }
    package static var example: JSONText { Fields.example }

    /// The value of a field; `nil` if it is missing or of another type.
    package subscript<Value>(dynamicMember field: KeyPath<Fields, Field<Value>>) -> Value? {
        json[Fields.fields[keyPath: field].name].flatMap(Value.init(json:))
    }

    /// The value of a field that may be `null`; `nil` for that, too.
    package subscript<Value>(dynamicMember field: KeyPath<Fields, Field<Value?>>) -> Value? {
        json[Fields.fields[keyPath: field].name].flatMap(Value.init(json:))
    }

    /// The first difference between an object and its declaration; `nil` if there is none.
    private static func deviation(of json: JSONText) -> String? {
        guard case .members(let members) = json else { return "this is not an object" }
        let names = members.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            return "\(twice) is there twice"
        }
        if let unknown = names.first(where: { !Fields.names.contains($0) }) { return "\(unknown) is not declared" }
        let missing = Fields.declared.filter { !$0.isOptional }.map(\.name).first { !names.contains($0) }
        return missing.map { "\($0) is missing" }
    }
}
