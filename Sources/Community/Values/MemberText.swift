import MediaCore

/// Text that members write.
enum MemberText {
    /// A line without control characters and without spaces at its ends.
    ///
    /// - Throws: `Refusal` with `emptyField` or `invalidField`.
    static func line(_ text: String, _ field: String, maximumLength: Int) throws(Refusal) -> String {
        let line = UntrustedText.stripped(text, maximumCharacterCount: maximumLength + 1).withoutSurroundingBlanks
        guard !line.isEmpty else {
            throw Refusal(.emptyField, "the field `\(field)` must not be empty", field: field)
        }
        guard line.count <= maximumLength else { throw tooLong(field, maximumLength) }
        return line
    }

    /// Lines without control characters; may be empty.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    static func lines(_ text: String, _ field: String, maximumLength: Int) throws(Refusal) -> String {
        guard text.count <= maximumLength else { throw tooLong(field, maximumLength) }
        return UntrustedText.strippedLines(text, maximumCharacterCount: maximumLength + 1).withoutSurroundingBlanks
    }

    static func tooLong(_ field: String, _ maximum: Int) -> Refusal {
        Refusal(.invalidField, "the field `\(field)` is limited to \(maximum) characters", field: field)
    }
}
