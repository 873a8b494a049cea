/// Asks the user questions.
package protocol Prompting {
    /// Asks a question and waits for the answer.
    ///
    /// - Parameters:
    ///   - question: The text to show, without a colon.
    ///   - suggestion: The meaning of an empty answer.
    ///   - isSecret: Whether to hide the answer while it is typed.
    /// - Returns: The answer; `nil` if nobody answers any more.
    func ask(_ question: String, suggestion: String?, isSecret: Bool) -> String?
    /// Prints a line.
    func say(_ text: String)
}
