package import JSONDocument
import Synchronization

/// The declaration of an object of the API: a structure with a ``Field`` for each member, in the order in which they
/// are described. A resource is declared so, the body of a request, and an object within another one.
package protocol ObjectFields: Sendable {
    /// The name in the description.
    static var name: String { get }
    /// The meaning; `nil` if the name says all.
    static var meaning: String? { get }
    /// Whether an object may have no other members. A request that has others is refused.
    static var isClosed: Bool { get }
    /// Rules for the object beyond its fields.
    static var traits: [SchemaTrait] { get }
    /// The fields that the object has besides its own ones; `nil` for none.
    static var base: (any ObjectFields.Type)? { get }
    /// The columns of the table that a command prints; empty for an object that is in no table.
    static var columns: [TableColumn] { get }
    /// The fields, made once.
    static var fields: Self { get }

    init()
}

extension ObjectFields {
    package static var meaning: String? { nil }
    package static var isClosed: Bool { false }
    package static var traits: [SchemaTrait] { [] }
    package static var base: (any ObjectFields.Type)? { nil }
    package static var columns: [TableColumn] { [] }

    /// The fields in their order, without those of the base.
    package static var declared: [any DeclaredField] {
        DeclaredFields.of(Self.self) {
            Mirror(reflecting: fields).children.compactMap { $0.value as? any DeclaredField }
        }
    }

    /// The names of all members that an object may have.
    package static var names: [String] { (base?.names ?? []) + declared.map(\.name) }

    /// An object with these members.
    ///
    /// - Parameter members: makes the members, given the fields; those that are `nil` are left out.
    package static func object(_ members: (Self) -> [JSONText.Field?]) -> APIObject<Self> {
        APIObject(json: .object(members(fields).compactMap(\.self)), isComplete: true)
    }

    /// An object that a client sends. The server says what is missing in it.
    ///
    /// - Parameter members: makes the members, given the fields; those that are `nil` are left out.
    package static func request(_ members: (Self) -> [JSONText.Field?]) -> APIObject<Self> {
        APIObject(json: .object(members(fields).compactMap(\.self)), isComplete: false)
    }

    /// The schema of the object itself, which is not a reference to it.
    package static func describe(_ components: inout SchemaComponents) -> JSONText {
        let declared = declared
        var schema: [JSONText.Field] = [("type", .string("object"))]
        if isClosed { schema.append(("additionalProperties", .boolean(false))) }
        let required = declared.filter { !$0.isOptional }.map { JSONText.string($0.name) }
        if !required.isEmpty { schema.append(("required", .array(required))) }
        schema.append(("properties", .object(declared.map { ($0.name, $0.schema(&components)) })))
        schema.append(("examples", .array([ownExample])))
        let own = JSONText.object(schema).with(traits).describing(meaning)
        guard let base else { return own }
        return .object([("allOf", .array([base.reference(&components), own]))])
    }

    /// A reference to the schema.
    package static func reference(_ components: inout SchemaComponents) -> JSONText {
        components.reference(to: name) { Self.describe(&$0) }
    }

    /// An object with an example of each member.
    package static var example: JSONText {
        var members: [JSONText.Field] = []
        if case .members(let inherited) = base?.example { members = inherited.map { ($0.name, $0.value) } }
        if case .members(let own) = ownExample { members += own.map { ($0.name, $0.value) } }
        return .object(members)
    }

    private static var ownExample: JSONText {
        .object(declared.filter { !$0.traits.contains(where: \.excludesAll) }.map { ($0.name, $0.example) })
    }
}

/// The fields of each declaration, which are found once: reflection takes longer than reading the body of a request.
private enum DeclaredFields {
    private static let found = Mutex<[ObjectIdentifier: [any DeclaredField]]>([:])

    static func of(_ type: any ObjectFields.Type, _ find: () -> [any DeclaredField]) -> [any DeclaredField] {
        let key = ObjectIdentifier(type)
        if let known = found.withLock({ $0[key] }) { return known }
        // Outside of the lock: a declaration may be made of another one.
        let fields = find()
        found.withLock { $0[key] = fields }
        return fields
    }
}
