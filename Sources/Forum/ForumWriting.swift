import MediaCore

/// The checks of members' texts in the forum.
enum ForumWriting {
    /// The title of a topic as it is stored: one line, each run of blanks a space, none at the ends.
    ///
    /// - Throws: `Refusal` with `emptyField`, or with `invalidField`, whose `range` has the lengths.
    static func title(_ text: String) throws(Refusal) -> String {
        let lengths = ForumTopic.titleLengths
        // A character may have several scalars; those beyond the limit are cut, and what is left is too long.
        let title = UntrustedText.strippedName(text, maximumCharacterCount: lengths.upperBound * 8)
        guard !title.isEmpty else { throw Refusal(.emptyField, "a topic needs a title", field: "title") }
        guard title.count >= lengths.lowerBound else {
            var refusal = Refusal(
                .invalidField,
                "the title is too short: it needs at least \(lengths.lowerBound) characters, blanks at its ends not counted",
                field: "title", range: lengths)
            refusal.facts["minimumLength"] = .number(Int64(lengths.lowerBound))
            throw refusal
        }
        guard title.count <= lengths.upperBound else {
            throw Refusal(
                .invalidField, "the title is limited to \(lengths.upperBound) characters", field: "title",
                range: lengths)
        }
        return title
    }

    /// The text of a comment as it is stored.
    ///
    /// - Throws: `Refusal` with `emptyField` or `invalidField`.
    static func comment(_ text: String) throws(Refusal) -> String {
        let maximum = ForumComment.maximumByteCount
        guard text.utf8.count <= maximum else {
            throw Refusal(.invalidField, "a comment is limited to 1 MB", field: "text")
        }
        let lines = UntrustedText.strippedLines(text, maximumCharacterCount: maximum).withoutSurroundingBlanks
        guard !lines.isEmpty else { throw Refusal(.emptyField, "a comment must not be empty", field: "text") }
        return lines
    }

    /// A text of an operator, which may be empty.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    static func lines(_ text: String, _ field: String, maximumLength: Int) throws(Refusal) -> String {
        guard text.count <= maximumLength else {
            throw Refusal(
                .invalidField, "the field `\(field)` is limited to \(maximumLength) characters", field: field)
        }
        return UntrustedText.strippedLines(text, maximumCharacterCount: maximumLength * 8).withoutSurroundingBlanks
    }
}
