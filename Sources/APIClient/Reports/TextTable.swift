import MediaCore

/// Rows of text in aligned columns. Cells are escaped, because they contain names and addresses from outside.
package struct TextTable: Sendable {
    /// Longer cells are cut, because a table is read line by line.
    static let maximumCellCharacterCount = 200
    /// Limit for free text. IDs are never cut, because they are typed again.
    static let shortCellCharacterCount = 48

    private let header: [String]
    private var rows: [[String]] = []

    /// - Parameter header: the titles of the columns.
    package init(_ header: String...) {
        self.init(header)
    }

    package init(_ header: [String]) {
        self.header = header
    }

    /// Adds a row, which has as many cells as the header.
    package mutating func add(_ row: String...) {
        add(row)
    }

    package mutating func add(_ row: [String]) {
        rows.append(row.map { UntrustedText.escaped($0, maximumCharacterCount: Self.maximumCellCharacterCount) })
    }

    /// The text, cut so that it does not make all rows long; the API and `--json` have all of it.
    static func short(_ text: String) -> String {
        text.count <= shortCellCharacterCount ? text : text.prefix(shortCellCharacterCount - 1) + "…"
    }

    package var isEmpty: Bool { rows.isEmpty }

    /// The table, with columns separated by two spaces.
    package var text: String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            return line
        }.joined(separator: "\n")
    }
}
