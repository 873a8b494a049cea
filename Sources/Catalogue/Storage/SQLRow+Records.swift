import Database
import Foundation

extension SQLRow {
    func date(_ name: String) throws(SQLError) -> Date {
        guard let date = try optionalDate(name) else {
            throw SQLError(.unexpectedValue, "`\(name)` of a row is NULL; run `antena database check`")
        }
        return date
    }

    func optionalDate(_ name: String) throws(SQLError) -> Date? {
        guard let text: String = try optional(name) else { return nil }
        guard let date = StoredDate(parsing: text) else { throw Self.unexpected(name, text) }
        return date.date
    }

    /// A value of an enumeration that is stored by its raw value.
    func choice<Choice: RawRepresentable<String>>(_ name: String) throws(SQLError) -> Choice {
        let text: String = try value(name)
        guard let choice = Choice(rawValue: text) else { throw Self.unexpected(name, text) }
        return choice
    }

    private static func unexpected(_ name: String, _ text: String) -> SQLError {
        SQLError(
            .unexpectedValue,
            "`\(name)` of a row has the unknown value \"\(text.prefix(64))\"; was it written by a newer version?")
    }
}
