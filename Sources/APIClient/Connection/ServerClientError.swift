package import APIContract
import MediaCore

/// The reason why a command failed, in sentences for the user.
package struct ServerClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// True if no server answers.
    package var isUnreachable: Bool
    /// The HTTP status of the server's response; `nil` if there was none or it does not matter.
    package var status: Int?
    /// The kind of problem that the server reports; `nil` if it names none that this program knows.
    package var problem: ProblemType?
    package var description: String

    /// Whether the same request may succeed later: the server is away, or busy.
    var isTemporary: Bool { isUnreachable || status == 503 }

    package init(isUnreachable: Bool = false, status: Int? = nil, problem: ProblemType? = nil, _ description: String) {
        self.isUnreachable = isUnreachable
        (self.status, self.problem) = (status, problem)
        // The text may contain text from the server or from a proxy in front of it. Each mistake in a file is on a
        // line.
        self.description = description.split(separator: "\n", omittingEmptySubsequences: false)
            .map { UntrustedText.escaped(String($0)) }.joined(separator: "\n")
    }
}
