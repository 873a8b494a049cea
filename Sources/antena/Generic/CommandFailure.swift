/// Ends a command with status 1 and the text on standard error, without usage lines.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
