import Accounts
import HTTPEndpoints
import Hummingbird
import JSONDocument
import MediaCore
import SiteTexts

/// The JSON body of a request about accounts. Only the fields that a request has are accepted, so that nobody sets one
/// that is not meant for them.
struct BodyFields {
    private let node: JSONNode

    /// Limit of the body; a profile is short.
    private static let defaultMaximumByteCount = 16 * 1024
    /// Limit of a text in Unicode scalars; passwords are the longest.
    private static let defaultMaximumTextLength = 1_000
    private let maximumTextLength: Int
    /// Limit of a list of names.
    private static let maximumElementCount = 100

    /// - Parameters:
    ///   - request: a request with a body.
    ///   - fields: the names of all fields that the body may have.
    ///   - maximumTextLength: limit of a text in Unicode scalars.
    ///   - maximumByteCount: limit of the body.
    /// - Throws: `ProblemDetails`
    init(
        _ request: Request, fields: [String], maximumTextLength: Int = defaultMaximumTextLength,
        maximumByteCount: Int = defaultMaximumByteCount
    ) async throws {
        self.maximumTextLength = maximumTextLength
        let example = "{\(fields.map { "\"\($0)\": …" }.joined(separator: ", "))}"
        node = try await OperatorRequest.body(of: request, example: example, maximumByteCount: maximumByteCount)
        guard let members = node.members else { throw ProblemDetails(.badRequest, "the body must be \(example)") }
        try Self.check(members.map(\.name), fields)
    }

    /// - Parameters:
    ///   - form: a form, whose fields are texts.
    ///   - fields: the names of all fields that it may have.
    /// - Throws: `Refusal` if it has another one.
    init(_ form: FileForm, fields: [String]) throws {
        maximumTextLength = Self.defaultMaximumTextLength
        try Self.check(form.fields.keys.sorted(), fields)
        let start = TextPosition(line: 1, column: 1)
        node = JSONNode(
            .object(form.fields.map { .init(name: $0, namePosition: start, value: JSONNode(.string($1), at: start)) }),
            at: start)
    }

    private static func check(_ names: [String], _ fields: [String]) throws {
        guard let unknown = names.first(where: { !fields.contains($0) }) else { return }
        throw Refusal(
            .invalidField,
            "there is no field \(Refusal.quoted(unknown)); the fields are \(fields.joined(separator: ", "))",
            fields: [UntrustedText.escaped(unknown, maximumCharacterCount: 80)])
    }

    /// A text; `nil` if the field is missing or null.
    func text(_ name: String) throws -> String? {
        guard let value = node[name], value.value != .null else { return nil }
        guard let text = value.string, text.unicodeScalars.count <= maximumTextLength else {
            throw Self.wrongType(name, "a string of at most \(maximumTextLength) characters")
        }
        return text
    }

    func required(_ name: String) throws -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw Refusal(.missingFields, "these fields are required: \(name)", fields: [name])
        }
        return text
    }

    func boolean(_ name: String) throws -> Bool {
        guard let value = node[name], value.value != .null else { return false }
        guard let boolean = value.boolean else { throw Self.wrongType(name, "true or false") }
        return boolean
    }

    /// True or false; `nil` if the field is missing or null.
    func flag(_ name: String) throws -> Bool? {
        guard let value = node[name], value.value != .null else { return nil }
        return try boolean(name)
    }

    /// Whether the body has a field, which may be null.
    func has(_ name: String) -> Bool { node[name] != nil }

    func number(_ name: String) throws -> Double? {
        guard let value = node[name], value.value != .null else { return nil }
        guard let number = value.number else { throw Self.wrongType(name, "a number") }
        return number
    }

    func integer(_ name: String) throws -> Int? {
        guard let value = node[name], value.value != .null else { return nil }
        guard let integer = value.integer else { throw Self.wrongType(name, "a whole number") }
        return integer
    }

    /// A list of texts; `nil` if the field is missing or null.
    func texts(_ name: String) throws -> [String]? {
        guard let value = node[name], value.value != .null else { return nil }
        let texts = value.elements?.compactMap(\.string)
        guard let texts, texts.count == value.elements?.count, texts.count <= Self.maximumElementCount else {
            throw Self.wrongType(name, "a list of at most \(Self.maximumElementCount) strings")
        }
        return texts
    }

    /// One of the values of an enumeration; `nil` if the field is missing or null.
    func value<Value: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Value.Type) throws -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw Self.wrongType(name, "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// The fields that people fill in about themselves.
    static let profileFields = ["name", "mobile", "city", "country"]
    /// The fields that members can also change later.
    static let ownFields = profileFields + ["language"]

    /// A profile with the fields that the body has; the others stay as they are.
    func profile(over profile: Profile) throws -> Profile {
        func field(_ name: String, _ value: String?) throws -> String? {
            node[name] == nil ? value : try text(name)
        }
        return Profile(
            name: try field("name", profile.name), mobile: try field("mobile", profile.mobile),
            city: try field("city", profile.city), country: try field("country", profile.country),
            language: node["language"] == nil
                ? profile.language : try value("language", SiteLanguage.self)?.rawValue)
    }

    /// A profile with the fields that the body has, and no others.
    func profile() throws -> Profile {
        Profile(
            name: try text("name"), mobile: try text("mobile"), city: try text("city"), country: try text("country"))
    }

    private static func wrongType(_ name: String, _ expected: String) -> Refusal {
        Refusal(.invalidField, "the field `\(name)` must be \(expected)", fields: [name])
    }
}
