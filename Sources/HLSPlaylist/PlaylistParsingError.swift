/// A playlist text that cannot be read, and where.
package struct PlaylistParsingError: Error, Hashable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    package var reason: String

    package init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "line \(line): \(reason)" }
}
