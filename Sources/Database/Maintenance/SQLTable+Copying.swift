extension SQLTable {
    /// The key of a row of all columns.
    func key(of row: [SQLValue]) -> [SQLValue] {
        key.compactMap { name in columns.firstIndex { $0.name == name }.map { row[$0] } }
    }

    /// A statement for the rows after a key, in the order of the key; all columns.
    func page(after key: [SQLValue]?, limit: Int) -> (sql: String, arguments: [SQLValue]) {
        let order = self.key.joined(separator: ", ")
        guard let key else { return ("SELECT \(columnList) FROM \(name) ORDER BY \(order) LIMIT \(limit)", []) }
        return (
            "SELECT \(columnList) FROM \(name) WHERE (\(order)) > (\(SQLParameters.list(key.count))) ORDER BY \(order) LIMIT \(limit)",
            key
        )
    }
}
