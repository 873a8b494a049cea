package import Database

/// Questions about titles inside the transactions of others, who keep something about a title by its row number: the
/// number is never given to another title, whereas an ID is free again when its title is deleted.
package enum TitleRows {
    /// A title as others refer to it.
    package struct Reference: Sendable, Hashable {
        package var number: Int64
        package var id: String
        /// The name that people see.
        package var name: String

        package init(number: Int64, id: String, name: String) {
            (self.number, self.id, self.name) = (number, id, name)
        }
    }

    /// The title with an ID; `nil` if there is none.
    package static func title(id: String, _ db: any SQLConnection) throws -> Reference? {
        try reference("SELECT number, id, title FROM title WHERE id = ?1", .text(id), db)
    }

    /// The title with a row number; `nil` if it was deleted.
    package static func title(number: Int64, _ db: any SQLConnection) throws -> Reference? {
        try reference("SELECT number, id, title FROM title WHERE number = ?1", .integer(number), db)
    }

    /// The title whose file has a name, or has had it; `nil` if there is none.
    package static func title(file: String, _ db: any SQLConnection) throws -> Reference? {
        try reference("SELECT number, id, title FROM title WHERE file = ?1", .text(file), db)
            ?? reference(
                """
                SELECT number, id, title FROM title
                WHERE id = (SELECT subject FROM formerFile WHERE section = 'title' AND file = ?1)
                """, .text(file), db)
    }

    // MARK: Parts of statements

    /// The condition that there is a title with the row number of a column.
    package static func exists(number column: String) -> String {
        "EXISTS (SELECT 1 FROM title AS existing WHERE existing.number = \(column))"
    }

    /// The condition that there is a title whose file has the name of a column.
    package static func exists(file column: String) -> String {
        "EXISTS (SELECT 1 FROM title AS existing WHERE existing.file = \(column))"
    }

    /// The row number of the title with an ID; `NULL` if there is none.
    package static func number(ofID parameter: String) -> String {
        "(SELECT number FROM title WHERE id = \(parameter))"
    }

    /// The row number of the title whose file has the name of a column; `NULL` if there is none.
    package static func number(ofFile column: String) -> String {
        "(SELECT number FROM title AS named WHERE named.file = \(column))"
    }

    /// The duration in seconds of the title with the row number of a column; `NULL` if there is none.
    package static func duration(ofNumber column: String) -> String {
        "(SELECT duration FROM title AS timed WHERE timed.number = \(column))"
    }

    private static func reference(
        _ sql: String, _ argument: SQLValue, _ db: any SQLConnection
    ) throws -> Reference? {
        try db.first(sql, [argument]) { row in
            Reference(number: try row.value("number"), id: try row.value("id"), name: try row.value("title"))
        }
    }
}
