/// Validates a document against a JSON Schema (draft 2020-12) with the keywords that `channels.schema.json` uses:
/// `type`, `required`, `properties`, `additionalProperties`, `propertyNames`, `enum`, `pattern`, `minimum`, `maximum`,
/// `exclusiveMinimum`, `minLength`, `maxLength`, `minItems`, `maxItems`, `uniqueItems`, `items`, `minProperties`,
/// `maxProperties` and `$ref` to `#/$defs/…`.
///
/// All mistakes are reported together, up to `maximumIssueCount`, each at the position of its value. A `writeOnly`
/// value, such as a password, is never repeated in a message.
package struct JSONSchema: Sendable {
    private let root: JSONNode

    /// Keywords that assert nothing: descriptions, hints for editors, and our own messages for patterns.
    private static let annotations: Set<String> = [
        "$schema", "$id", "$defs", "$comment", "title", "description", "default", "examples", "writeOnly",
        "patternErrorMessage",
    ]
    private static let assertions: Set<String> = [
        "type", "required", "properties", "additionalProperties", "propertyNames", "enum", "pattern", "minimum",
        "maximum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "items",
        "minProperties", "maxProperties", "$ref",
    ]

    /// Limit of reported mistakes, so that a file full of mistakes does not produce a message many times its size.
    static let maximumIssueCount = 100

    /// - Parameter root: the schema's document.
    package init(_ root: JSONNode) {
        self.root = root
    }

    /// The keywords of this schema that ``validate(_:)`` would ignore; a test checks that the shipped schema has none.
    package var unsupportedKeywords: Set<String> {
        var found: Set<String> = []
        collectUnsupportedKeywords(of: root, into: &found)
        return found
    }

    /// Validates a document; an empty result means that it is valid.
    package func validate(_ document: JSONNode) -> [JSONIssue] {
        var issues: [JSONIssue] = []
        check(document, against: root, field: "", into: &issues)
        return issues
    }

    /// Validates a value against one definition only.
    ///
    /// - Parameters:
    ///   - value: the value to validate.
    ///   - definition: a name in the schema's `$defs`.
    package func validate(_ value: JSONNode, definition: String) -> [JSONIssue] {
        var issues: [JSONIssue] = []
        if let rules = root["$defs"]?[definition] { check(value, against: rules, field: "", into: &issues) }
        return issues
    }

    // MARK: Checking

    private func check(
        _ node: JSONNode, against schema: JSONNode, field: String, into issues: inout [JSONIssue]
    ) {
        guard issues.count < Self.maximumIssueCount else { return }
        if let reference = schema["$ref"]?.string, let target = resolve(reference) {
            check(node, against: target, field: field, into: &issues)
        }
        let count = issues.count
        checkType(node, schema, field, &issues)
        // Further checks of a value with the wrong type would only report mistakes that follow from the first.
        guard issues.count == count else { return }
        checkEnumeration(node, schema, field, &issues)
        switch node.value {
        case .object(let members): checkObject(node, members, schema, field, &issues)
        case .array(let elements): checkArray(node, elements, schema, field, &issues)
        case .string(let string): checkString(node, string, schema, field, &issues)
        case .number(let number): checkNumber(node, number, schema, field, &issues)
        case .null, .boolean: break
        }
    }

    private func checkType(_ node: JSONNode, _ schema: JSONNode, _ field: String, _ issues: inout [JSONIssue]) {
        guard let type = schema["type"] else { return }
        let allowed = type.string.map { [$0] } ?? type.elements?.compactMap(\.string) ?? []
        let actual = node.typeName
        guard !allowed.contains(actual), !(actual == "integer" && allowed.contains("number")) else { return }
        let names = allowed.map(Self.article).joined(separator: " or ")
        issues.append(at: node, field, "must be \(names), not \(Self.summary(of: node, schema))")
    }

    private func checkEnumeration(
        _ node: JSONNode, _ schema: JSONNode, _ field: String, _ issues: inout [JSONIssue]
    ) {
        guard let allowed = schema["enum"]?.elements, !allowed.contains(where: { $0.hasSameContent(as: node) }) else {
            return
        }
        let list = allowed.map(\.summary).joined(separator: ", ")
        issues.append(at: node, field, "\(node.summary) is not allowed here; must be one of: \(list)")
    }

    private func checkObject(
        _ node: JSONNode, _ members: [JSONNode.Member], _ schema: JSONNode, _ field: String,
        _ issues: inout [JSONIssue]
    ) {
        let properties = schema["properties"]?.members ?? []
        for name in schema["required"]?.elements?.compactMap(\.string) ?? [] where node[name] == nil {
            issues.append(at: node, field, "\"\(name)\" is missing")
        }
        for member in members where issues.count < Self.maximumIssueCount {
            let memberField = field.isEmpty ? member.name : "\(field).\(member.name)"
            if let names = schema["propertyNames"] {
                let name = JSONNode(.string(member.name), at: member.namePosition)
                check(name, against: names, field: memberField, into: &issues)
            }
            if let property = properties.first(where: { $0.name == member.name }) {
                check(member.value, against: property.value, field: memberField, into: &issues)
            } else if schema["additionalProperties"]?.boolean == false {
                let allowed = properties.map(\.name).joined(separator: ", ")
                issues.append(
                    JSONIssue(
                        position: member.namePosition, field: memberField,
                        message: "there is no such field; must be one of: \(allowed)"))
            } else if let additional = schema["additionalProperties"], additional.members != nil {
                check(member.value, against: additional, field: memberField, into: &issues)
            }
        }
        checkCount(node, members.count, schema, ("minProperties", "maxProperties"), "fields", field, &issues)
    }

    private func checkArray(
        _ node: JSONNode, _ elements: [JSONNode], _ schema: JSONNode, _ field: String,
        _ issues: inout [JSONIssue]
    ) {
        checkCount(node, elements.count, schema, ("minItems", "maxItems"), "entries", field, &issues)
        // The entries of a list that is too long are neither checked nor compared with each other.
        if let maximum = schema["maxItems"]?.integer, elements.count > maximum { return }
        for (index, element) in elements.enumerated() {
            let elementField = "\(field)[\(index)]"
            if let items = schema["items"] { check(element, against: items, field: elementField, into: &issues) }
            if schema["uniqueItems"]?.boolean == true, elements[..<index].contains(where: element.hasSameContent(as:)) {
                issues.append(at: element, elementField, "\(element.summary) is given twice")
            }
        }
    }

    private func checkString(
        _ node: JSONNode, _ string: String, _ schema: JSONNode, _ field: String, _ issues: inout [JSONIssue]
    ) {
        checkCount(node, string.unicodeScalars.count, schema, ("minLength", "maxLength"), "characters", field, &issues)
        guard let text = schema["pattern"]?.string else { return }
        guard let pattern = SchemaPattern(text) else {
            issues.append(at: node, field, "the schema's pattern \(text) is not understood")
            return
        }
        guard !pattern.matches(string) else { return }
        let message = schema["patternErrorMessage"]?.string ?? "does not match \(text)"
        issues.append(at: node, field, "\(Self.summary(of: node, schema)) \(message)")
    }

    private func checkNumber(
        _ node: JSONNode, _ number: Double, _ schema: JSONNode, _ field: String, _ issues: inout [JSONIssue]
    ) {
        let minimum = schema["minimum"]
        let maximum = schema["maximum"]
        if let limit = schema["exclusiveMinimum"], let value = limit.number, number <= value {
            issues.append(at: node, field, "must be more than \(limit.summary), not \(node.summary)")
        }
        let isTooSmall = minimum?.number.map { number < $0 } ?? false
        let isTooLarge = maximum?.number.map { number > $0 } ?? false
        guard isTooSmall || isTooLarge else { return }
        let limits =
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): "from \(minimum.summary) to \(maximum.summary)"
            case (let minimum?, nil): "at least \(minimum.summary)"
            default: "at most \(maximum?.summary ?? "")"
            }
        issues.append(at: node, field, "must be \(limits), not \(node.summary)")
    }

    private func checkCount(
        _ node: JSONNode, _ count: Int, _ schema: JSONNode, _ keywords: (minimum: String, maximum: String),
        _ noun: String, _ field: String, _ issues: inout [JSONIssue]
    ) {
        if let minimum = schema[keywords.minimum]?.integer, count < minimum {
            issues.append(at: node, field, "must have at least \(minimum) \(noun), not \(count)")
        }
        if let maximum = schema[keywords.maximum]?.integer, count > maximum {
            issues.append(at: node, field, "must have at most \(maximum) \(noun), not \(count)")
        }
    }

    /// A short description of the value, unless it is a secret.
    private static func summary(of node: JSONNode, _ schema: JSONNode) -> String {
        schema["writeOnly"]?.boolean == true ? "what is there" : node.summary
    }

    // MARK: The schema itself

    /// The definition that a reference such as `#/$defs/name` points to.
    private func resolve(_ reference: String) -> JSONNode? {
        let prefix = "#/$defs/"
        guard reference.hasPrefix(prefix) else { return nil }
        return root["$defs"]?[String(reference.dropFirst(prefix.count))]
    }

    private func collectUnsupportedKeywords(of schema: JSONNode, into found: inout Set<String>) {
        for member in schema.members ?? [] {
            if !Self.annotations.contains(member.name), !Self.assertions.contains(member.name) {
                found.insert(member.name)
            }
            switch member.name {
            case "properties", "$defs":
                for property in member.value.members ?? [] {
                    collectUnsupportedKeywords(of: property.value, into: &found)
                }
            case "additionalProperties", "items", "propertyNames":
                collectUnsupportedKeywords(of: member.value, into: &found)
            case "$ref":
                if member.value.string.flatMap(resolve) == nil { found.insert("$ref \(member.value.summary)") }
            case "pattern":
                if member.value.string.flatMap(SchemaPattern.init) == nil {
                    found.insert("pattern \(member.value.summary)")
                }
            default: break
            }
        }
    }

    private static func article(_ type: String) -> String {
        switch type {
        case "object": "an object"
        case "array": "a list"
        case "string": "a string"
        case "integer": "a whole number"
        case "number": "a number"
        case "boolean": "true or false"
        default: type
        }
    }
}

extension [JSONIssue] {
    /// Appends a mistake at the position of a value.
    package mutating func append(at node: JSONNode, _ field: String, _ message: String) {
        append(JSONIssue(position: node.position, field: field, message: message))
    }
}
