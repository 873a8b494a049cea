import Foundation

/// Asks a person.
package protocol Prompting {
    /// - Parameters:
    ///   - suggestion: what an empty answer means.
    ///   - isSecret: not to be shown while it is typed.
    /// - Returns: `nil` where nobody answers any more.
    func ask(_ question: String, suggestion: String?, isSecret: Bool) -> String?
    func say(_ text: String)
}

/// At the terminal.
package struct TerminalPrompt: Prompting {
    package init() {}

    package func ask(_ question: String, suggestion: String?, isSecret: Bool) -> String? {
        var original = termios()
        tcgetattr(STDIN_FILENO, &original)
        if isSecret {
            var hidden = original
            hidden.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &hidden)
        }
        let hint = suggestion.map { " [\($0)]" } ?? ""
        // Behind the switch: who answers at once must not be seen either.
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

    package func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
