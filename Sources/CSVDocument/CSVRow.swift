/// A row of comma-separated values (RFC 4180).
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-`, `@` or a tab for a formula and run it, so such a cell gets an
/// apostrophe in front, which they do not show. ``CSVReader`` takes it away again.
package enum CSVRow {
    private static let formulaStarts: Set<Character> = ["=", "+", "-", "@", "\t", "\r"]
    static let guardMark: Character = "'"

    /// The row with its line break. Numbers are written as they are.
    package static func text(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        var text = text
        if isGuarded(text[...]) { text.insert(guardMark, at: text.startIndex) }
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }

    /// Whether a cell gets an apostrophe: formulas, and what would look as if it had got one.
    static func isGuarded(_ text: Substring) -> Bool {
        guard let first = text.first else { return false }
        if first == guardMark { return isGuarded(text.dropFirst()) }
        return formulaStarts.contains(first) && Double(text) == nil
    }
}
