/// The outcome of a log-in with the right password.
package enum LogInOutcome: Sendable, Hashable {
    case session(NewSession)
    /// A code is needed as well; the value is sent with it within five minutes.
    case secondFactorNeeded(Secret)

    /// The result that the metrics count.
    var result: LogInResult {
        switch self {
        case .session: .success
        case .secondFactorNeeded: .codeNeeded
        }
    }
}
