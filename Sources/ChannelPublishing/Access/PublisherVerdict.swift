/// The answer to a publisher.
package enum PublisherVerdict: Sendable, Hashable {
    /// The publisher may push. The name is that of its login; `nil` if it needs none.
    case admitted(username: String?)
    /// The channel needs a login.
    ///
    /// - Parameter takesPassword: whether it has usernames and passwords of its own.
    case credentialNeeded(takesPassword: Bool)
    /// The channel only takes publishers on this machine.
    case loopbackOnly
    /// The login is wrong, or its account may not publish there.
    case wrongCredential
    /// Too many wrong logins have come from the address.
    case tooManyAttempts
    /// The accounts cannot be asked at the moment.
    case unavailable

    /// Whether the publisher may push.
    package var isAdmitted: Bool { if case .admitted = self { true } else { false } }

    /// Words for who configures the encoder; `nil` for a publisher that may push.
    ///
    /// - Parameters:
    ///   - channel: the channel's name.
    ///   - hint: how its protocol takes a login.
    package func words(channel: String, hint: String) -> String? {
        switch self {
        case .admitted: nil
        case .credentialNeeded: "a login is needed: \(hint)"
        case .loopbackOnly: "\(channel) only accepts publishers from this machine"
        case .wrongCredential: "the username, password or token is wrong, or may not publish here"
        case .tooManyAttempts: "too many wrong attempts; try again later"
        case .unavailable: "the accounts cannot be asked at the moment"
        }
    }
}
