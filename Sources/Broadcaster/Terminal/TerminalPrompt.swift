import Foundation

/// Asks questions at the terminal.
package struct TerminalPrompt: Prompting {
    /// Creates a prompt.
    package init() {}

    /// Asks for a line. A secret is not echoed.
    ///
    /// - Returns: the answer without surrounding spaces, or the suggestion if it is empty; `nil` at the end of the
    ///   input.
    package func ask(_ question: String, suggestion: String?, isSecret: Bool) -> String? {
        var original = termios()
        tcgetattr(STDIN_FILENO, &original)
        if isSecret {
            var hidden = original
            hidden.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &hidden)
        }
        let hint = suggestion.map { " [\($0)]" } ?? ""
        // The echo is switched off first: a quick answer must stay hidden, too.
        FileHandle.standardOutput.write(Data("\(question)\(hint): ".utf8))
        defer {
            if isSecret {
                tcsetattr(STDIN_FILENO, TCSANOW, &original)
                say("")
            }
        }
        guard let line = readLine() else { return nil }
        let answer = line.trimmingCharacters(in: .whitespaces)
        return answer.isEmpty ? suggestion ?? "" : answer
    }

    /// Writes a line to standard output.
    package func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
