import Foundation

/// A password from the terminal, which does not show it, or from standard input. It is never an argument: other users
/// of the machine see the arguments of commands.
enum PasswordInput {
    /// - Parameter prompt: what a terminal shows.
    /// - Throws: ``CommandFailure`` if there is none.
    static func read(prompt: String = "Password: ") throws -> String {
        let text = isatty(STDIN_FILENO) == 1 ? getpass(prompt).map { String(cString: $0) } : readLine()
        guard let text, !text.isEmpty else { throw CommandFailure("no password on standard input") }
        return text
    }
}
