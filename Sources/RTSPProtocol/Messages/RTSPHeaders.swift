/// Header fields in order of arrival (RFC 2326 §4.2). Names are not case-sensitive.
package struct RTSPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A header field.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    /// Creates fields in the order of the literal; names may repeat.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// Appends a field, after others of the same name.
    package mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }

    /// Continues the last field (line folding, RFC 2616 §2.2, which RTSP inherits).
    mutating func continueLastField(with text: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value += " " + text
    }

    /// The value of the first field with that name; `nil` if there is none. Setting a value replaces all fields with
    /// that name.
    package subscript(name: String) -> String? {
        get { fields.first { hasSameName($0.name, name) }?.value }
        set {
            fields.removeAll { hasSameName($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// The values of all fields with that name, in order. Challenges, for example, use several fields.
    package func values(of name: String) -> [String] {
        fields.filter { hasSameName($0.name, name) }.map(\.value)
    }
}

/// Compares header names, which consist of ASCII, without regard to case.
private func hasSameName(_ first: String, _ second: String) -> Bool {
    let (left, right) = (first.utf8, second.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { $0 == $1 || ($0 ^ $1 == 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
}
