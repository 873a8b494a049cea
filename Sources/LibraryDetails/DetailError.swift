/// A value that a field cannot have.
package struct DetailError: Error, Hashable, CustomStringConvertible {
    package var field: DetailField
    /// The reason why the value is wrong, as the end of a sentence that begins with the field's name.
    package var reason: String

    package init(_ field: DetailField, _ reason: String) { (self.field, self.reason) = (field, reason) }

    package var description: String { "\"\(field.rawValue)\" \(reason)" }
}
