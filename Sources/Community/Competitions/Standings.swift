import CSVDocument
import Foundation
package import MediaCore

/// The standings of a competition: a table of texts. A text that a spreadsheet would take for a formula is a text here.
package struct Standings: Sendable, Hashable {
    /// The names of the columns; empty if there are no standings.
    package let header: [String]
    /// The rows, each with as many cells as the header.
    package let rows: [[String]]

    package static let maximumColumnCount = 50
    /// Limit of the rows below the header.
    package static let maximumRowCount = 500
    /// Limit of a cell in characters (Unicode scalars).
    package static let maximumCellLength = 200
    /// Limit of the texts of all cells, so that a page with them stays readable.
    package static let maximumByteCount = 512 * 1_024

    private init(checkedHeader: [String], rows: [[String]]) { (header, self.rows) = (checkedHeader, rows) }

    /// No standings.
    package static let empty = Standings(checkedHeader: [], rows: [])

    package var isEmpty: Bool { header.isEmpty }

    /// - Parameters:
    ///   - header: the names of the columns.
    ///   - rows: the rows; those with fewer cells than the header are filled up with empty ones.
    /// - Throws: `Refusal` with `invalidField`.
    package init(header: [String], rows: [[String]]) throws(Refusal) {
        guard header.count <= Self.maximumColumnCount else {
            throw Self.error("standings have at most \(Self.maximumColumnCount) columns, not \(header.count)")
        }
        guard rows.count <= Self.maximumRowCount else {
            throw Self.error("standings have at most \(Self.maximumRowCount) rows, not \(rows.count)")
        }
        var byteCount = 0
        var cleaned: [[String]] = []
        for (index, row) in ([header] + rows).enumerated() {
            let place = index == 0 ? "the header" : "row \(index)"
            guard row.count <= header.count else {
                throw Self.error("\(place) has \(row.count) cells, but the header has \(header.count)")
            }
            var cells: [String] = []
            for cell in row {
                // Counted as it is sent, as the limit is described, and not as it is kept.
                guard cell.unicodeScalars.count <= Self.maximumCellLength else {
                    let beginning = UntrustedText.stripped(cell, maximumCharacterCount: 40)
                    throw Self.error(
                        "\(place) has a cell of more than \(Self.maximumCellLength) characters: \"\(beginning)\"")
                }
                let text = UntrustedText.stripped(cell, maximumCharacterCount: Self.maximumCellLength)
                byteCount += text.utf8.count
                cells.append(text)
            }
            cleaned.append(cells + Array(repeating: "", count: header.count - row.count))
        }
        guard byteCount <= Self.maximumByteCount else {
            throw Self.error("the texts of standings are limited to \(Self.maximumByteCount / 1_024) KiB")
        }
        self.init(checkedHeader: cleaned[0], rows: Array(cleaned.dropFirst()))
    }

    /// - Parameters:
    ///   - csv: comma-separated values with a header, as spreadsheets write them; empty for no standings.
    ///   - declared: the encoding that the sender names; `nil` if none.
    /// - Throws: `Refusal` with `invalidField`.
    package init(csv: [UInt8], declared: TextEncoding? = nil) throws(Refusal) {
        let table: [CSVReader.Row]
        do {
            table = try CSVReader(
                maximumRowCount: Self.maximumRowCount + 1, maximumFieldCount: Self.maximumColumnCount
            ).rows(csv, declared: declared)
        } catch {
            throw Self.error("the table cannot be read: \(error)")
        }
        try self.init(header: table.first?.fields ?? [], rows: table.dropFirst().map(\.fields))
    }

    /// Comma-separated values with the header; empty if there are no standings.
    package var csv: String { isEmpty ? "" : ([header] + rows).map(CSVRow.text).joined() }

    private static func error(_ reason: String) -> Refusal {
        Refusal(.invalidField, reason, field: "standings")
    }

    // MARK: Storage

    private struct Stored: Codable {
        var header: [String]
        var rows: [[String]]
    }

    /// The table as the database keeps it.
    func stored() throws -> String {
        String(decoding: try JSONEncoder().encode(Stored(header: header, rows: rows)), as: UTF8.self)
    }

    /// - Parameter stored: what ``stored()`` has returned.
    /// - Throws: `DecodingError`
    init(stored: String) throws {
        let table = try JSONDecoder().decode(Stored.self, from: Data(stored.utf8))
        self.init(checkedHeader: table.header, rows: table.rows)
    }
}
