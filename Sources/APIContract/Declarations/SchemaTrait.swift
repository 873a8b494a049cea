package import JSONDocument

/// A rule for values beyond their type.
package enum SchemaTrait: Sendable {
    /// The member may be missing.
    case optional
    case oneOf([JSONText])
    case minimum(Double)
    case maximum(Double)
    case minimumLength(Int)
    case maximumLength(Int)
    case minimumCount(Int)
    case maximumCount(Int)
    case minimumMemberCount(Int)
    case maximumMemberCount(Int)
    /// The elements of a list differ from one another.
    case unique
    /// ECMA 262.
    case pattern(String)
    /// Such as `date`; a hint.
    case format(String)
    /// The value that counts where none is sent.
    case standard(JSONText)
    case example(JSONText)
    case only(String)
    /// Traits of the elements of a list, or of the values of an object with any names.
    indirect case each([SchemaTrait])
    /// The schema itself, where nothing else can say it.
    case schema(JSONText)

    /// One of these texts.
    package static func oneOf(_ texts: String...) -> SchemaTrait { .oneOf(texts.map(JSONText.string)) }

    package static func example(_ text: String) -> SchemaTrait { .example(.string(text)) }

    package static func each(_ traits: SchemaTrait...) -> SchemaTrait { .each(traits) }

    var isOptional: Bool { if case .optional = self { true } else { false } }

    /// The members of the schema that say it.
    fileprivate var members: [JSONText.Field] {
        switch self {
        case .optional, .each, .schema: []
        case .oneOf(let values): [("enum", .array(values))]
        case .minimum(let number): [("minimum", .number(number))]
        case .maximum(let number): [("maximum", .number(number))]
        case .minimumLength(let count): [("minLength", .integer(count))]
        case .maximumLength(let count): [("maxLength", .integer(count))]
        case .minimumCount(let count): [("minItems", .integer(count))]
        case .maximumCount(let count): [("maxItems", .integer(count))]
        case .minimumMemberCount(let count): [("minProperties", .integer(count))]
        case .maximumMemberCount(let count): [("maxProperties", .integer(count))]
        case .unique: [("uniqueItems", .boolean(true))]
        case .pattern(let pattern): [("pattern", .string(pattern))]
        case .format(let format): [("format", .string(format))]
        case .standard(let value): [("default", value)]
        case .example(let value): [("examples", .array([value]))]
        case .only(let text): [("const", .string(text))]
        }
    }

    /// Whether no value at all is admitted, because clients are told so only if they try.
    var excludesAll: Bool { if case .schema(.boolean(false)) = self { true } else { false } }

    /// An example that traits admit: the one that they name, or a value that is made to fit. One that has a pattern has
    /// to be named.
    ///
    /// - Parameters:
    ///   - traits: the traits.
    ///   - value: a value of the type. It is not made if traits name an example, which one that may contain itself has
    ///     to have.
    static func example(in traits: [SchemaTrait], or value: @autoclosure () -> JSONText) -> JSONText {
        for case .example(let value) in traits { return value }
        for case .only(let text) in traits { return .string(text) }
        for case .oneOf(let values) in traits { return values.first ?? value() }
        for case .standard(let value) in traits { return value }
        for case .schema(let schema) in traits where schema["type"] == .string("null") { return .null }
        var example = value()
        for trait in traits { example = trait.fitting(example) }
        return example
    }

    private func fitting(_ example: JSONText) -> JSONText {
        switch (self, example) {
        case (.minimum(let least), .integer(let integer)): .integer(max(integer, Int(exactly: least) ?? integer))
        case (.maximum(let most), .integer(let integer)): .integer(min(integer, Int(exactly: most) ?? integer))
        case (.minimum(let least), .number(let number)): .number(max(number, least))
        case (.maximum(let most), .number(let number)): .number(min(number, most))
        case (.minimumCount(let count), .array(let elements)) where elements.count < count && !elements.isEmpty:
            .array((0..<count).map { elements[$0 % elements.count] })
        case (.each(let traits), .array(let elements)): .array(elements.map { Self.example(in: traits, or: $0) })
        case (.each(let traits), .members(let members)):
            .members(members.map { JSONText.Member(name: $0.name, value: Self.example(in: traits, or: $0.value)) })
        case (.format(let name), .string(let text)): .string(Self.formatExamples[name] ?? text)
        default: example
        }
    }

    private static let formatExamples = [
        "date": "2026-11-21", "uri": "https://example.org/", "uri-reference": "/directo/canalA",
        "email": "ana@example.org",
    ]
}

extension JSONText {
    /// The schema of all values of a type of JSON Schema, such as `object`.
    package static func type(_ name: String) -> JSONText { .object([("type", .string(name))]) }

    /// This schema, and `null`.
    var orNull: JSONText {
        switch self["type"] {
        case .string(let name):
            var schema = self
            schema["type"] = .array([.string(name), .string("null")])
            return schema
        case .some: return self
        case nil:
            guard self["$ref"] != nil else { return self }
            return .object([("anyOf", .array([self, .type("null")]))])
        }
    }

    private var admitsNull: Bool {
        guard case .array(let types) = self["type"] else { return false }
        return types.contains(.string("null"))
    }

    /// This schema with what traits say.
    func with(_ traits: [SchemaTrait]) -> JSONText {
        var schema = self
        for trait in traits {
            switch trait {
            case .schema(let whole): schema = whole
            case .each(let traits):
                for name in ["items", "additionalProperties"] {
                    if let inner = schema[name] { schema[name] = inner.with(traits) }
                }
            case .oneOf(let values) where schema.admitsNull && !values.contains(.null):
                schema["enum"] = .array(values + [.null])
            default: for member in trait.members { schema[member.name] = member.value }
            }
        }
        return schema
    }

    func describing(_ meaning: String?) -> JSONText {
        guard let meaning else { return self }
        var schema = self
        schema["description"] = .string(meaning)
        return schema
    }
}
