import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import Hummingbird
import JSONDocument
import MediaCore
import SiteTexts

/// The JSON body of a request whose fields are declared. Only those are accepted, so that nobody sets one that is not
/// meant for them.
struct BodyFields<Fields: ObjectFields> {
    private let node: JSONNode

    /// Limit of the body; a profile is short.
    private static var defaultMaximumByteCount: Int { 16 * 1024 }
    /// Limit of a text in Unicode scalars; passwords are the longest.
    private static var defaultMaximumTextLength: Int { 1_000 }
    private let maximumTextLength: Int
    /// Limit of a list of names.
    private static var maximumElementCount: Int { 100 }

    /// - Parameters:
    ///   - request: a request with a body.
    ///   - fields: the fields that the body may have.
    ///   - maximumTextLength: limit of a text in Unicode scalars.
    ///   - maximumByteCount: limit of the body.
    /// - Throws: `ProblemDetails`
    init(
        _ request: Request, _: Fields.Type, maximumTextLength: Int = defaultMaximumTextLength,
        maximumByteCount: Int = defaultMaximumByteCount
    ) async throws {
        self.maximumTextLength = maximumTextLength
        node = try await RequestBody.body(of: request, example: Self.example, maximumByteCount: maximumByteCount)
        guard let members = node.members else { throw ProblemDetails(.badRequest, "the body must be \(Self.example)") }
        try Self.check(members.map(\.name))
    }

    private static var example: String { "{\(Fields.names.map { "\"\($0)\": …" }.joined(separator: ", "))}" }

    /// - Parameters:
    ///   - form: a form, whose fields are texts.
    ///   - fields: the fields that it may have.
    /// - Throws: `Refusal` if it has another one.
    init(_ form: FileForm, _: Fields.Type) throws {
        maximumTextLength = Self.defaultMaximumTextLength
        try Self.check(form.fields.keys.sorted())
        let start = TextPosition(line: 1, column: 1)
        node = JSONNode(
            .object(form.fields.map { .init(name: $0, namePosition: start, value: JSONNode(.string($1), at: start)) }),
            at: start)
    }

    private static func check(_ names: [String]) throws {
        let fields = Fields.names
        guard let unknown = names.first(where: { !fields.contains($0) }) else { return }
        throw Refusal(
            .invalidField,
            "there is no field \(Refusal.quoted(unknown)); the fields are \(fields.joined(separator: ", "))",
            fields: [UntrustedText.escaped(unknown, maximumCharacterCount: 80)])
    }

    /// The value of a field; `nil` if it is missing or null.
    private func value(_ name: String) -> JSONNode? {
        guard let value = node[name], value.value != .null else { return nil }
        return value
    }

    private func name(_ field: KeyPath<Fields, Field<some APIValue>>) -> String { Fields.fields[keyPath: field].name }

    /// Whether the body has a field, which may be null.
    func has(_ field: KeyPath<Fields, Field<some APIValue>>) -> Bool { node[name(field)] != nil }

    /// A text; `nil` if the field is missing or null.
    func text(_ field: KeyPath<Fields, Field<some APIValue>>) throws -> String? { try text(named: name(field)) }

    private func text(named name: String) throws -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, text.unicodeScalars.count <= maximumTextLength else {
            throw Self.wrongType(name, "a string of at most \(maximumTextLength) characters")
        }
        return text
    }

    func required(_ field: KeyPath<Fields, Field<some APIValue>>) throws -> String {
        guard let text = try text(field), !text.isEmpty else {
            throw Refusal.missing([name(field)])
        }
        return text
    }

    func boolean(_ field: KeyPath<Fields, Field<some APIValue>>) throws -> Bool { try flag(field) ?? false }

    /// True or false; `nil` if the field is missing or null.
    func flag(_ field: KeyPath<Fields, Field<some APIValue>>) throws -> Bool? {
        guard let value = value(name(field)) else { return nil }
        guard let boolean = value.boolean else { throw Self.wrongType(name(field), "true or false") }
        return boolean
    }

    func number(_ field: KeyPath<Fields, Field<some APIValue>>) throws -> Double? {
        guard let value = value(name(field)) else { return nil }
        guard let number = value.number else { throw Self.wrongType(name(field), "a number") }
        return number
    }

    func integer(_ field: KeyPath<Fields, Field<some APIValue>>) throws -> Int? {
        guard let value = value(name(field)) else { return nil }
        guard let integer = value.integer else { throw Self.wrongType(name(field), "a whole number") }
        return integer
    }

    /// A list of texts; `nil` if the field is missing or null.
    func texts(_ field: KeyPath<Fields, Field<some APIValue>>) throws -> [String]? {
        guard let value = value(name(field)) else { return nil }
        let texts = value.elements?.compactMap(\.string)
        guard let texts, texts.count == value.elements?.count, texts.count <= Self.maximumElementCount else {
            throw Self.wrongType(name(field), "a list of at most \(Self.maximumElementCount) strings")
        }
        return texts
    }

    /// The elements of a list, which the caller reads; empty if the field is missing or null.
    func elements(_ field: KeyPath<Fields, Field<some APIValue>>, maximumCount: Int) throws -> [JSONNode] {
        guard let value = value(name(field)) else { return [] }
        guard let elements = value.elements, elements.count <= maximumCount else {
            throw Self.wrongType(name(field), "a list of at most \(maximumCount) elements")
        }
        return elements
    }

    /// One of the values of an enumeration; `nil` if the field is missing or null.
    func value<Value: RawRepresentable<String> & CaseIterable>(
        _ field: KeyPath<Fields, Field<some APIValue>>, _ type: Value.Type
    ) throws -> Value? {
        try value(named: name(field), type)
    }

    private func value<Value: RawRepresentable<String> & CaseIterable>(
        named name: String, _ type: Value.Type
    ) throws -> Value? {
        guard let text = try text(named: name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw Self.wrongType(name, "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// A profile with the fields that the body has; the others stay as they are.
    func profile(over profile: Profile) throws -> Profile {
        let fields = ProfileChangeFields.fields
        func text(_ field: Field<some APIValue>, _ value: String?) throws -> String? {
            node[field.name] == nil ? value : try self.text(named: field.name)
        }
        return Profile(
            name: try text(fields.name, profile.name), mobile: try text(fields.mobile, profile.mobile),
            city: try text(fields.city, profile.city), country: try text(fields.country, profile.country),
            language: node[fields.language.name] == nil
                ? profile.language : try value(named: fields.language.name, SiteLanguage.self)?.rawValue)
    }

    /// A profile with the fields that the body has, and no others.
    func profile() throws -> Profile {
        let fields = ProfileChangeFields.fields
        return Profile(
            name: try text(named: fields.name.name), mobile: try text(named: fields.mobile.name),
            city: try text(named: fields.city.name), country: try text(named: fields.country.name))
    }

    private static func wrongType(_ name: String, _ expected: String) -> Refusal {
        Refusal(.invalidField, "the field `\(name)` must be \(expected)", fields: [name])
    }
}
