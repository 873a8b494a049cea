import MediaCore

/// Rows of text in aligned columns. Cells are escaped, because names and addresses in them come from strangers.
package struct TextTable: Sendable {
    /// A table is read line by line; what is longer is cut.
    static let maximumCellCharacterCount = 200
    /// For texts that are as long as their author likes; ids are never cut, because they are typed again.
    static let shortCellCharacterCount = 48

    private let header: [String]
    private var rows: [[String]] = []

    package init(_ header: String...) {
        self.header = header
    }

    package mutating func add(_ row: String...) {
        rows.append(row.map { UntrustedText.escaped($0, maximumCharacterCount: Self.maximumCellCharacterCount) })
    }

    /// A text that is cut where it would make all rows long; the API and `--json` have all of it.
    static func short(_ text: String) -> String {
        text.count <= shortCellCharacterCount ? text : text.prefix(shortCellCharacterCount - 1) + "…"
    }

    package var isEmpty: Bool { rows.isEmpty }

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
