/// Whether somebody may push to a channel.
package enum PublishingVerdict: Sendable, Hashable {
    /// - Parameter name: who it is, for the log.
    case admitted(name: String)
    /// No account has the credential, or its account may not push.
    case refused
    /// The credential cannot be one of an account: it may be one of the channel's own publishers.
    case notAnAccounts
    /// The database or the operator's program does not answer.
    case unavailable
}
