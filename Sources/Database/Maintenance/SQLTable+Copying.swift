extension SQLTable {
    /// The key of a row of all columns.
    func key(of row: [SQLValue]) -> [SQLValue] {
        key.compactMap { name in columns.firstIndex { $0.name == name }.map { row[$0] } }
    }

    /// A statement for the rows after a key, in the order of the key; all columns.
    func page(after key: [SQLValue]?, limit: Int) -> (sql: String, arguments: [SQLValue]) {
        let order = self.key.joined(separator: ", ")
        guard let key else { return ("SELECT \(columnList) FROM \(name) ORDER BY \(order) LIMIT \(limit)", []) }
        let places = (1...key.count).map { "?\($0)" }.joined(separator: ", ")
        return (
            "SELECT \(columnList) FROM \(name) WHERE (\(order)) > (\(places)) ORDER BY \(order) LIMIT \(limit)", key
        )
    }

    /// A statement that inserts a row of all columns, or replaces the row with its key.
    var upsert: String {
        let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        let others = columns.filter { !key.contains($0.name) }.map { "\($0.name) = excluded.\($0.name)" }
        let action = others.isEmpty ? "NOTHING" : "UPDATE SET \(others.joined(separator: ", "))"
        return """
            INSERT INTO \(name)(\(columnList)) VALUES (\(places))
            ON CONFLICT (\(key.joined(separator: ", "))) DO \(action)
            """
    }
}
