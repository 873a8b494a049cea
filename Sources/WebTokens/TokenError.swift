/// Why a token or a key is not accepted.
package struct TokenError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Sendable, Hashable {
        /// The text is not a token, or is too long.
        case malformed
        /// No key fits the token: another algorithm, another key ID.
        case unknownKey
        case wrongSignature
        case expired
        case notYetValid
        /// Another issuer or audience.
        case notForThisServer
        /// The key itself cannot be used.
        case badKey
    }

    package var code: Code
    /// A clause without a full stop that repeats nothing of the token.
    package var reason: String

    package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    package var description: String { reason }
}
