/// A row of comma-separated values (RFC 4180).
enum CSVRow {
    /// The row with its line break; every field is quoted.
    static func text(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\r\n" }

    /// A spreadsheet takes what begins with these characters for a formula and runs it, so that it gets an apostrophe in
    /// front. A number stays a number.
    private static func field(_ text: String) -> String {
        // A character may be one of them with a combining mark, which a spreadsheet does not mind.
        let isFormula =
            text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false && Int(text) == nil
        return "\"\(isFormula ? "'" : "")\(text.replacing("\"", with: "\"\""))\""
    }
}
