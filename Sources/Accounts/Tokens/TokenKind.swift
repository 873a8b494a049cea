/// The kinds of credentials for programs.
package enum TokenKind: String, Sendable, Hashable, CaseIterable {
    /// Sent as `Authorization: Bearer`.
    case apiToken
    /// Sent in place of the password, for programs that know nothing else.
    case appPassword

    var secretKind: Secret.Kind {
        switch self {
        case .apiToken: .apiToken
        case .appPassword: .appPassword
        }
    }
}
