package import JSONDocument
import MediaCore

/// The value of a ``DetailField``, within its limits.
package enum DetailValue: Sendable, Hashable {
    case text(String)
    case number(Int)
    case texts([String])

    /// The text; `nil` for any other value.
    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The number; `nil` for any other value.
    package var number: Int? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The list; `nil` for any other value.
    package var texts: [String]? {
        guard case .texts(let texts) = self else { return nil }
        return texts
    }

    package var json: JSONText {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case .texts(let texts): .array(texts.map(JSONText.string))
        }
    }

    // MARK: Reading

    /// Reads the value of a field that somebody has chosen.
    ///
    /// - Throws: ``DetailError`` if it is of another kind, empty, or beyond a limit.
    package init(_ node: JSONNode, of field: DetailField) throws(DetailError) {
        switch field.kind {
        case .line, .text, .address:
            guard let text = node.string else { throw DetailError(field, "must be text") }
            self = .text(try Self.checked(text, field))
        case .number:
            guard let number = node.integer else { throw DetailError(field, "must be a whole number") }
            self = .number(try Self.checked(number, field))
        case .lines:
            guard let elements = node.elements else { throw DetailError(field, "must be a list of texts") }
            var texts: [String] = []
            for element in elements {
                guard let text = element.string else { throw DetailError(field, "must be a list of texts") }
                texts.append(text)
            }
            self = .texts(try Self.checked(texts, field))
        }
    }

    /// Reads the value of a field from a form, a command line or a file. Lists are separated by semicolons
    /// if there is one, otherwise by commas.
    ///
    /// - Throws: ``DetailError``
    package init(_ text: String, of field: DetailField) throws(DetailError) {
        switch field.kind {
        case .line, .text, .address: self = .text(try Self.checked(text, field))
        case .number:
            guard let number = Int(digits: Substring(text.filter { !$0.isWhitespace })) else {
                throw DetailError(field, "must be a whole number")
            }
            self = .number(try Self.checked(number, field))
        case .lines:
            let separator: Character = text.contains(";") ? ";" : ","
            let texts = text.split(separator: separator).map(String.init)
            self = .texts(try Self.checked(texts, field))
        }
    }

    /// The value of a field that a file gives: cut to the limits; `nil` if nothing useful is left.
    package init?(lenient text: String, of field: DetailField) {
        let limit = Self.limit(of: field)
        // Characters can have any length, so scalars are counted first.
        let scalars = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit * 4)))
        guard let value = try? DetailValue(String(Self.cleaned(scalars, field).prefix(limit)), of: field) else {
            return nil
        }
        self = value
    }

    private static func limit(of field: DetailField) -> Int {
        switch field.kind {
        case .line: field == .ageRating ? DetailField.maximumAgeRatingLength : DetailField.maximumLineLength
        case .number: DetailField.maximumLineLength
        case .lines: field.maximumEntryCount * (DetailField.maximumEntryLength + 1)
        case .text: DetailField.maximumTextLength
        case .address: DetailField.maximumAddressLength
        }
    }

    private static func checked(_ text: String, _ field: DetailField) throws(DetailError) -> String {
        let clean = cleaned(text, field)
        guard !clean.isEmpty else { throw DetailError(field, "is empty; null restores the file's own value") }
        guard clean.count <= limit(of: field) else {
            throw DetailError(field, "is limited to \(limit(of: field)) characters")
        }
        if field.kind == .address {
            let rest = clean.lowercased()
            let scheme = ["https://", "http://"].first { rest.hasPrefix($0) }
            guard let scheme, let next = clean.dropFirst(scheme.count).first, next != "/", next != ":",
                clean.unicodeScalars.allSatisfy({
                    $0.isASCII && $0.value > 0x20 && !"\"<>\\^`{|}".contains(Character($0))
                })
            else { throw DetailError(field, "must be an address that begins with https:// or http://") }
        }
        return clean
    }

    private static func checked(_ number: Int, _ field: DetailField) throws(DetailError) -> Int {
        guard field.numbers.contains(number) else {
            throw DetailError(
                field, "must be a number from \(field.numbers.lowerBound) to \(field.numbers.upperBound)")
        }
        return number
    }

    private static func checked(_ texts: [String], _ field: DetailField) throws(DetailError) -> [String] {
        guard texts.count <= field.maximumEntryCount else {
            throw DetailError(field, "is limited to \(field.maximumEntryCount) entries")
        }
        var result: [String] = []
        for text in texts {
            let clean = cleaned(text, field)
            guard clean.count <= DetailField.maximumEntryLength else {
                throw DetailError(field, "is limited to \(DetailField.maximumEntryLength) characters each")
            }
            if !clean.isEmpty, !result.contains(where: { $0.lowercased() == clean.lowercased() }) {
                result.append(clean)
            }
        }
        guard !result.isEmpty else { throw DetailError(field, "is empty; null restores the file's own value") }
        return result
    }

    /// Text without control characters and surrounding blanks; line breaks stay where the field has several lines.
    private static func cleaned(_ text: String, _ field: DetailField) -> String {
        let cleaned =
            field.kind == .text
            ? UntrustedText.strippedLines(text, maximumCharacterCount: .max)
            : UntrustedText.stripped(text, maximumCharacterCount: .max)
        return cleaned.withoutSurroundingBlanks
    }
}
