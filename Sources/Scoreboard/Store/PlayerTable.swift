import CSVDocument
package import MediaCore

/// Players in a table (CSV, RFC 4180) whose first line names the columns, in any order.
package struct PlayerTable: Sendable {
    /// The columns of a table; all but `extra` are required.
    package enum Column: String, Sendable, CaseIterable {
        case firstName, lastName, gender, country, birthDate, extra
    }

    /// The reason why a row, or the whole table, cannot be used.
    package struct Problem: Error, Sendable, Hashable {
        /// The line of the file, from 1.
        package var line: Int
        /// The column; `nil` for the whole row.
        package var column: Column?
        /// A sentence without a full stop.
        package var reason: String
    }

    /// A row that could be read.
    struct Row: Sendable {
        var line: Int
        var data: Scoreboard.PlayerData
    }

    /// Limits of a table: as much as a browser or a command sends at once, and what one transaction adds.
    package static let maximumByteCount = 1 << 20
    package static let maximumRowCount = 2_000
    /// A few columns more than there are, so that the answer can name an unknown one.
    private static let maximumFieldCount = 20

    let rows: [Row]
    let problems: [Problem]

    /// - Parameters:
    ///   - bytes: the file, at most ``maximumByteCount``.
    ///   - declared: the encoding that its sender names; `nil` if none.
    /// - Throws: ``Problem`` if the table has no header that can be used, or too many rows.
    package init(_ bytes: [UInt8], declared: TextEncoding? = nil) throws(Problem) {
        let table: [CSVReader.Row]
        do {
            table = try CSVReader(
                maximumRowCount: Self.maximumRowCount + 1, maximumFieldCount: Self.maximumFieldCount
            ).rows(bytes, declared: declared)
        } catch {
            throw Problem(line: error.line, reason: error.reason)
        }
        guard let header = table.first else { throw Problem(line: 1, reason: "the table is empty") }
        var columns: [Column] = []
        for name in header.fields {
            guard let column = Column(header: name) else {
                let names = Column.allCases.map(\.rawValue).joined(separator: ", ")
                let shown = UntrustedText.escaped(name, maximumCharacterCount: 80)
                throw Problem(line: header.line, reason: "there is no column \"\(shown)\"; there are \(names)")
            }
            guard !columns.contains(column) else {
                throw Problem(line: header.line, column: column, reason: "the column is there twice")
            }
            columns.append(column)
        }
        if let missing = Column.allCases.first(where: { $0 != .extra && !columns.contains($0) }) {
            throw Problem(line: header.line, column: missing, reason: "the column is missing")
        }
        var (rows, problems) = ([Row](), [Problem]())
        for row in table.dropFirst() {
            guard row.fields.count <= columns.count else {
                problems.append(Problem(line: row.line, reason: "the row has more fields than the first line"))
                continue
            }
            let (data, wrong) = Self.read(row, columns)
            problems += wrong
            if wrong.isEmpty { rows.append(Row(line: row.line, data: data)) }
        }
        (self.rows, self.problems) = (rows, problems)
    }

    private static func read(
        _ row: CSVReader.Row, _ columns: [Column]
    ) -> (data: Scoreboard.PlayerData, problems: [Problem]) {
        var (data, problems) = (Scoreboard.PlayerData(), [Problem]())
        for (index, column) in columns.enumerated() {
            let field = row.fields.indices.contains(index) ? row.fields[index] : ""
            let text = field.trimmingSpaces
            guard column == .extra || !text.isEmpty else {
                problems.append(Problem(line: row.line, column: column, reason: "the field is empty"))
                continue
            }
            switch column {
            case .firstName: data.firstName = text
            case .lastName: data.lastName = text
            case .country:
                data.country = text
                if !Countries.codes.contains(text.uppercased()) {
                    problems.append(
                        Problem(
                            line: row.line, column: column,
                            reason: "must be a code of ISO 3166-1 with two letters, such as ES"))
                }
            case .extra: data.extra = text
            case .gender:
                data.gender = ScorePlayer.Gender(cell: text)
                if data.gender == nil {
                    problems.append(
                        Problem(line: row.line, column: column, reason: "must be one of: female, male, other"))
                }
            case .birthDate:
                data.birthDate = CivilDate(parsing: text)
                if data.birthDate == nil {
                    problems.append(
                        Problem(line: row.line, column: column, reason: "must be a date like 1999-04-30"))
                }
            }
        }
        return (data, problems)
    }
}

extension PlayerTable.Column {
    /// The heading as a spreadsheet may have it, in English or Spanish.
    fileprivate init?(header: String) {
        let words: [String: Self] = [
            "firstname": .firstName, "nombre": .firstName, "lastname": .lastName, "apellidos": .lastName,
            "apellido": .lastName, "gender": .gender, "sexo": .gender, "género": .gender, "country": .country,
            "país": .country, "pais": .country, "birthdate": .birthDate, "nacimiento": .birthDate, "extra": .extra,
        ]
        guard let column = words[header.lowercased().filter { !$0.isWhitespace && $0 != "_" }] else { return nil }
        self = column
    }
}

extension ScorePlayer.Gender {
    fileprivate init?(cell: String) {
        switch cell.lowercased() {
        case "female", "f", "mujer": self = .female
        case "male", "m", "hombre": self = .male
        case "other", "otro": self = .other
        default: return nil
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
