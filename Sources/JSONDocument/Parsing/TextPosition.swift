/// A position in a text file; line and column count from 1, columns in characters.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    package var line: Int
    /// The column, counted from 1.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "\(line):\(column)" }
}
