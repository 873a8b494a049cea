/// A column of the table that a command prints of objects.
package struct TableColumn: Sendable {
    /// How a cell shows its value.
    package enum Style: Sendable {
        /// All of it. IDs are never cut, because they are typed again.
        case whole
        /// Cut, because it is free text.
        case short
        case yesOrNo
    }

    package let title: String
    package let field: any DeclaredField
    package let style: Style

    /// - Parameters:
    ///   - title: the title, in capitals.
    ///   - field: the field whose values the column has.
    ///   - style: how a cell shows its value.
    package init(_ title: String, _ field: any DeclaredField, _ style: Style = .whole) {
        (self.title, self.field, self.style) = (title, field, style)
    }
}
