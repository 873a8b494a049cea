/// The answer of the accounts to somebody who wants to push.
package enum RTSPAdmissionDecision: Sendable, Hashable {
    /// The account with this username may push.
    case admitted(username: String)
    /// The credential cannot be one of an account: it may be one of the channel's own publishers.
    case notAnAccounts
    /// No account has the credential, or its account may not push.
    case refused
    /// The accounts cannot be asked at the moment.
    case unavailable
}
