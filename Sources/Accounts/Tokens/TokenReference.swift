package import Database

/// The column of a row that must not outlive the token that made it, such as a device or a browser for push messages.
///
/// The column names the token, and is NULL for what a person has made. A token that is revoked takes the row with it;
/// one that has expired stays listed, so statements that read such rows add ``lasting(_:at:)``.
package enum TokenReference {
    /// The name of the column.
    package static let column = "tokenID"

    /// The column in the declaration of a table.
    package static let declaration = SQLColumn.text(
        column, .optional, .references(AccountsSchema.tokens.name, "id", .cascade))

    /// The condition of SQL that a row was made by a person, or by a token that has not expired.
    ///
    /// - Parameters:
    ///   - table: the name of the table in the statement.
    ///   - time: the parameter of the time, such as `?1`.
    package static func lasting(_ table: String, at time: String) -> String {
        """
        (\(table).\(column) IS NULL OR EXISTS (SELECT 1 FROM accountToken AS maker
            WHERE maker.id = \(table).\(column) AND (maker.expiresAt IS NULL OR maker.expiresAt > \(time))))
        """
    }
}
