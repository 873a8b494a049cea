package import APIContract
import JSONDocument

/// The table of objects of the API, with the columns that are declared for them.
package enum ObjectTable {
    /// - Parameters:
    ///   - objects: the rows.
    ///   - nothing: the text instead of a table without rows, such as "no announcements".
    package static func text<Fields: ObjectFields>(_ objects: [APIObject<Fields>], nothing: String) -> String {
        guard !objects.isEmpty else { return nothing }
        var table = TextTable(Fields.columns.map(\.title))
        for object in objects { table.add(Fields.columns.map { cell($0, of: object.json) }) }
        return table.text
    }

    /// A table of fields of one object, each with its name.
    package static func fields<Fields: ObjectFields>(
        of object: APIObject<Fields>, _ fields: [any DeclaredField]
    ) -> String {
        var table = TextTable(["FIELD", "VALUE"])
        for field in fields { table.add([field.name, (object.json[field.name] ?? .null).cell]) }
        return table.text
    }

    private static func cell(_ column: TableColumn, of object: JSONText) -> String {
        let value = object[column.field.name] ?? .null
        switch column.style {
        case .whole: return value.cell
        case .short: return TextTable.short(value.cell)
        case .yesOrNo: return value == .boolean(true) ? "yes" : "no"
        }
    }
}

extension APIValue {
    /// The value as a cell of a table: a list as its elements, an object as JSON; "-" if it is `nil` or empty.
    var cell: String {
        switch json {
        case .string(let string): string
        case .integer(let integer): "\(integer)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .array(let elements) where !elements.isEmpty: elements.map(\.cell).joined(separator: " / ")
        case .members: json.rendered
        default: "-"
        }
    }
}
