import MediaCore

/// Text that members write to each other. Control characters and invisible ones are taken out; everything else stays
/// as it is, and pages escape it.
enum MessagingText {
    /// A name on one line.
    ///
    /// - Throws: `Refusal` with `emptyField` or `invalidField`.
    static func name(_ text: String, _ field: String, maximumLength: Int) throws(Refusal) -> String {
        let name = UntrustedText.strippedName(text, maximumCharacterCount: maximumLength + 1)
        guard !name.isEmpty else {
            throw Refusal(.emptyField, "the field `\(field)` must not be empty", field: field)
        }
        guard name.count <= maximumLength else { throw tooLong(field, maximumLength) }
        return name
    }

    /// Lines of text; may be empty.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    static func lines(_ text: String, _ field: String, maximumLength: Int, byteCount: Int) throws(Refusal) -> String {
        guard text.utf8.count <= byteCount, text.count <= maximumLength else { throw tooLong(field, maximumLength) }
        return UntrustedText.strippedLines(text, maximumCharacterCount: byteCount).withoutSurroundingBlanks
    }

    private static func tooLong(_ field: String, _ maximum: Int) -> Refusal {
        Refusal(.invalidField, "the field `\(field)` is limited to \(maximum) characters", field: field)
    }
}
