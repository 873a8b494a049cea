/// An index of a table.
package struct SQLIndex: Sendable, Hashable {
    package var name: String
    /// The columns in the index's order; an expression is in parentheses.
    package var terms: [String]
    /// Whether no two rows may have the same values.
    package var isUnique: Bool
    /// The condition of the rows that are in the index; `nil` for all.
    package var condition: String?
    /// The column with the row number, which can be read from the index without the row; see
    /// ``SQLDialect/includingRowNumber(_:)``. `nil` if nobody asks for it.
    package var rowNumber: String?
    /// The version of the domain's schema that has added the index.
    package var since: Int

    /// - Parameters:
    ///   - name: the name of the index, which begins with that of its table.
    ///   - terms: the columns in the index's order; an expression is in parentheses.
    ///   - condition: the condition of the rows that are in the index; `nil` for all.
    ///   - rowNumber: the column with the row number, if it is to be read without the row.
    ///   - since: the version of the domain's schema that adds the index. Without it, a published migration has.
    package init(
        _ name: String, _ terms: String..., where condition: String? = nil, including rowNumber: String? = nil,
        since: Int = SQLSchema.firstVersion
    ) {
        self.init(name, terms, isUnique: false, condition, rowNumber, since)
    }

    /// - Parameters:
    ///   - name: the name of the index, which begins with that of its table.
    ///   - terms: the columns in the index's order.
    ///   - condition: the condition of the rows that are in the index.
    package init(_ name: String, _ terms: [String], where condition: String) {
        self.init(name, terms, isUnique: false, condition, nil, SQLSchema.firstVersion)
    }

    private init(
        _ name: String, _ terms: [String], isUnique: Bool, _ condition: String?, _ rowNumber: String?, _ since: Int
    ) {
        self.name = name
        self.terms = terms
        self.isUnique = isUnique
        self.condition = condition
        self.rowNumber = rowNumber
        self.since = since
    }

    /// An index of values that no two rows may have in common.
    ///
    /// - Parameters:
    ///   - name: the name of the index, which begins with that of its table.
    ///   - terms: the columns in the index's order.
    ///   - condition: the condition of the rows that are in the index; `nil` for all.
    ///   - since: the version of the domain's schema that adds the index. Without it, a published migration has.
    package static func unique(
        _ name: String, _ terms: String..., where condition: String? = nil, since: Int = SQLSchema.firstVersion
    ) -> SQLIndex {
        SQLIndex(name, terms, isUnique: true, condition, nil, since)
    }
}
