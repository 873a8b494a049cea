import Database

/// The columns of a table, in the order in which statements list them. The name of a case is the column's name.
protocol RecordColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int, AllCases == [Self] {
    var type: SQLColumnType { get }
}

extension RecordColumn {
    var name: String { String(describing: self) }

    /// The names of all columns as a list of a statement.
    static func list(prefix: String = "") -> String { allCases.map { prefix + $0.name }.joined(separator: ", ") }

    static var tableColumns: [SQLTable.Column] { allCases.map { SQLTable.Column($0.name, $0.type) } }
}
