/// How somebody shows who they are.
package enum LogInWay: String, Sendable, CaseIterable {
    case password, passkey, provider
    /// The code after a password or a provider.
    case secondFactor = "second-factor"
    /// An API token or an app password.
    case token
}
