/// A row of comma-separated values (RFC 4180).
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-`, `@` or a tab for a formula and run it, so such a cell gets
/// an apostrophe in front. ``CSVReader`` takes it away again. A number stays a number.
package enum CSVRow {
    // Scalars, because a character may be one of these with a combining mark, which a spreadsheet does not mind.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r"]
    static let guardMark: Unicode.Scalar = "'"

    /// The row with its line break; every field is quoted.
    package static func text(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        var field = String.UnicodeScalarView("\"".unicodeScalars)
        if isGuarded(text.unicodeScalars[...]) { field.append(guardMark) }
        for scalar in text.unicodeScalars {
            if scalar == "\"" { field.append(scalar) }
            field.append(scalar)
        }
        field.append("\"")
        return String(field)
    }

    /// Whether a cell gets an apostrophe: formulas, and what would look as if it had got one.
    static func isGuarded(_ text: Substring.UnicodeScalarView) -> Bool {
        let rest = text.drop { $0 == guardMark }
        return rest.first.map(formulaStarts.contains) ?? false && Double(Substring(text)) == nil
    }
}
