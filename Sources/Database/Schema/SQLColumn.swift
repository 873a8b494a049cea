/// A column of a table as both engines have it.
package struct SQLColumn: Sendable, Hashable {
    /// A property of a column beyond its type.
    package enum Property: Sendable, Hashable {
        /// The column may hold `NULL`.
        case optional
        /// No two rows have the same value.
        case unique
        /// The value of rows whose statement does not name the column, and of rows that were there before the column.
        case `default`(SQLValue)
        /// Names a row of another table by one of its columns; tells what happens to this row when that one is deleted.
        case references(String, String, SQLDeleteAction = .refuse)
        /// A condition of SQL that every row meets.
        case check(String)
        /// The version of the domain's schema that has added the column. Without it, a published migration has.
        case since(Int)
    }

    /// A row of another table that a column names.
    package struct Reference: Sendable, Hashable {
        package var table: String
        package var column: String
        package var onDelete: SQLDeleteAction
    }

    package let name: String
    package let type: SQLColumnType
    /// Whether the engine numbers the rows by this column, which is then the primary key.
    package let isIdentity: Bool
    package private(set) var isOptional = false
    package private(set) var isUnique = false
    package private(set) var defaultValue: SQLValue?
    package private(set) var reference: Reference?
    package private(set) var check: String?
    /// The version of the domain's schema that has added the column.
    package private(set) var since = SQLSchema.firstVersion

    private init(_ name: String, _ type: SQLColumnType, isIdentity: Bool = false, _ properties: [Property] = []) {
        self.name = name
        self.type = type
        self.isIdentity = isIdentity
        for property in properties { add(property) }
    }

    private mutating func add(_ property: Property) {
        switch property {
        case .optional: isOptional = true
        case .unique: isUnique = true
        case .default(let value): defaultValue = value
        case .references(let table, let column, let action):
            reference = Reference(table: table, column: column, onDelete: action)
        case .check(let condition): check = condition
        case .since(let version): since = version
        }
    }

    /// The primary key of a table whose rows the engine numbers, rising and never twice.
    package static func identity(_ name: String) -> SQLColumn { SQLColumn(name, .integer, isIdentity: true) }

    /// A column of 64-bit integers.
    package static func integer(_ name: String, _ properties: Property...) -> SQLColumn {
        SQLColumn(name, .integer, properties)
    }

    /// A column of 64-bit floating-point numbers.
    package static func real(_ name: String, _ properties: Property...) -> SQLColumn {
        SQLColumn(name, .real, properties)
    }

    /// A column of text that is compared byte by byte.
    package static func text(_ name: String, _ properties: Property...) -> SQLColumn {
        SQLColumn(name, .text, properties)
    }

    /// A column of bytes.
    package static func blob(_ name: String, _ properties: Property...) -> SQLColumn {
        SQLColumn(name, .blob, properties)
    }

    /// A column that holds the ``CaselessKey`` of another one, and that no two rows have in common.
    package static func caselessKey(_ name: String, _ properties: Property...) -> SQLColumn {
        SQLColumn(name, .text, properties + [.unique])
    }

    /// The reason why the column cannot be added to a table that has rows; `nil` if it can.
    var obstacleToAdding: String? {
        if isIdentity { return "it is the primary key" }
        if isUnique { return "SQLite adds no unique columns; declare a unique index" }
        if !isOptional && defaultValue == nil {
            return "rows that exist need a value; make it optional, or give a default"
        }
        if reference != nil && defaultValue != nil { return "SQLite adds no references with a default" }
        return nil
    }
}
