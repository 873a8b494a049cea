package import JSONDocument

/// The details of a title or track besides its media; an unknown detail has no value.
package struct ItemDetails: Sendable, Hashable {
    private var values: [DetailField: DetailValue] = [:]

    package init() {}

    package subscript(field: DetailField) -> DetailValue? {
        get { values[field] }
        set { values[field] = newValue }
    }

    package var isEmpty: Bool { values.isEmpty }
    package var fields: Set<DetailField> { Set(values.keys) }

    /// A line or a text; `nil` if it is not known.
    package func text(_ field: DetailField) -> String? { values[field]?.text }
    package func number(_ field: DetailField) -> Int? { values[field]?.number }
    package func texts(_ field: DetailField) -> [String]? { values[field]?.texts }

    /// Takes a value that a file gives, cut to the limits; keeps what it has if nothing useful is left.
    package mutating func set(_ field: DetailField, fromFile text: String?) {
        guard let text, let value = DetailValue(lenient: text, of: field) else { return }
        values[field] = value
    }

    /// These details, and those of `lower` for fields that these do not have.
    package func over(_ lower: ItemDetails) -> ItemDetails {
        var result = lower
        result.values.merge(values) { _, upper in upper }
        return result
    }

    /// These details without other fields.
    package func only(_ fields: [DetailField]) -> ItemDetails {
        var result = self
        result.values = values.filter { fields.contains($0.key) }
        return result
    }

    /// Words that find a title or track besides its name, artist and album.
    package var furtherWords: String {
        DetailField.allCases.flatMap { field -> [String] in
            switch (field, values[field]) {
            case (.description, .text(let text)), (.series, .text(let text)), (.artist, .text(let text)),
                (.album, .text(let text)):
                [text]
            case (.genres, .texts(let texts)), (.cast, .texts(let texts)): texts
            case (.year, .number(let year)): ["\(year)"]
            default: []
            }
        }.joined(separator: " ")
    }

    // MARK: JSON

    /// The known fields in a fixed order.
    package var json: JSONText {
        .object(DetailField.allCases.compactMap { field in values[field].map { (field.rawValue, $0.json) } })
    }

    /// The details as a text to be stored.
    package var stored: String { json.rendered }

    /// Reads what ``stored`` has written; fields that are unknown or damaged are left out.
    package init(stored text: String) {
        guard let members = (try? JSONParser.parse(text.utf8))?.members else { return }
        for member in members {
            guard let field = DetailField(rawValue: member.name) else { continue }
            // Limits are for what comes in.
            values[field] =
                switch field.kind {
                case .line, .text, .address: member.value.string.map(DetailValue.text)
                case .number: member.value.integer.map(DetailValue.number)
                case .lines: member.value.elements.map { DetailValue.texts($0.compactMap(\.string)) }
                }
        }
    }
}
