/// The result of a log-in.
package enum LogInResult: String, Sendable, CaseIterable {
    case success
    /// The credential was right, and a code is asked for.
    case codeNeeded = "code-needed"
    case failure
    /// Nothing was tried, because there were too many attempts, or the server was busy.
    case refused
}
