/// A playlist that cannot be parsed: the line and the reason.
package struct PlaylistParsingError: Error, Hashable, CustomStringConvertible {
    /// Line number, counted from 1.
    package var line: Int
    package var reason: String

    package init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "line \(line): \(reason)" }
}
