import MediaCore

/// Text that members write.
enum MemberText {
    /// A line without control characters and without spaces at its ends.
    ///
    /// - Throws: ``CommunityError`` with `missingFields` or `invalidField`.
    static func line(_ text: String, _ field: String, maximumLength: Int) throws(CommunityError) -> String {
        let line = trimmed(UntrustedText.stripped(text, maximumCharacterCount: maximumLength + 1))
        guard !line.isEmpty else {
            throw CommunityError(.missingFields, "the field `\(field)` must not be empty", field: field)
        }
        guard line.count <= maximumLength else { throw tooLong(field, maximumLength) }
        return line
    }

    /// Lines without control characters; may be empty.
    ///
    /// - Throws: ``CommunityError`` with `invalidField`.
    static func lines(_ text: String, _ field: String, maximumLength: Int) throws(CommunityError) -> String {
        guard text.count <= maximumLength else { throw tooLong(field, maximumLength) }
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map {
            UntrustedText.stripped(String($0), maximumCharacterCount: maximumLength + 1)
        }
        return trimmed(lines.joined(separator: "\n"))
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }

    private static func tooLong(_ field: String, _ maximum: Int) -> CommunityError {
        CommunityError(.invalidField, "the field `\(field)` is limited to \(maximum) characters", field: field)
    }
}
