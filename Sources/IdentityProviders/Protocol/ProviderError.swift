/// A log-in with a provider that did not succeed.
package struct ProviderError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The server has no such provider.
        case unknown
        /// The provider cannot be reached, or answers with an error of its own.
        case notAvailable
        /// The visitor has said no, or the provider has.
        case refused
        /// The answer belongs to no log-in that this browser has begun, or that has taken too long.
        case attemptNotValid
        /// The provider's answer does not show who somebody is.
        case notValid
    }

    package var code: Code
    /// A clause for the log; it repeats no code, token or secret.
    package var reason: String

    package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    package var description: String { reason }
}
